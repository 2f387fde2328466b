import { Registry } from "prom-client";

export interface Metrics {
  /** This process's metrics. */
  readonly own: Registry;
  /** Metrics of the whole service, in Prometheus format. */
  all(): Promise<string>;
}

/** Metrics of a single-process service. */
export function metricsOfOne(): Metrics {
  const own = new Registry();
  return { own, all: () => own.metrics() };
}

import { Registry } from "prom-client";

export interface Metrics {
  /** What this process counts. */
  readonly own: Registry;
  /** What is published: of the whole service, in Prometheus's format. */
  all(): Promise<string>;
}

/** Those of a service that is one process. */
export function metricsOfOne(): Metrics {
  const own = new Registry();
  return { own, all: () => own.metrics() };
}

import type { Worker } from "node:cluster";

/** A metric as prom-client writes it for other processes; its own types don't tell that `type` is a word. */
export interface Metric {
  type?: unknown;
}

/** What a worker tells the primary. */
export type FromWorker =
  | { kind: "serves"; address: string }
  | { kind: "counted"; round: number; metrics: Metric[] }
  | { kind: "asks"; question: number };

/** What the primary tells a worker. */
export type FromPrimary =
  | { kind: "stop" }
  | { kind: "count"; round: number }
  /** Null where the metrics can't be summed up. */
  | { kind: "answers"; question: number; metrics: string | null };

/** Whoever has just ended hears nothing any more, and that is no fault. */
export function tell(worker: Worker, message: FromPrimary): void {
  worker.send(message, () => {});
}

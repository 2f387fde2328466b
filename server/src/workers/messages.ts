import type { Worker } from "node:cluster";

/** A serialized prom-client metric; its own types don't say that `type` is a string. */
export interface Metric {
  type?: unknown;
}

/** Messages from a worker to the primary. */
export type FromWorker =
  | { kind: "serves"; address: string }
  | { kind: "counted"; round: number; metrics: Metric[] }
  | { kind: "asks"; question: number };

/** Messages from the primary to a worker. */
export type FromPrimary =
  /** The reason is for the log. */
  | { kind: "stop"; reason: string }
  | { kind: "count"; round: number }
  /** Null if the metrics couldn't be summed. */
  | { kind: "responses"; question: number; metrics: string | null };

/** Sending to a worker that has just ended isn't an error. */
export function send(worker: Worker, message: FromPrimary): void {
  worker.send(message, () => {});
}

import { sql } from "kysely";
import { Counter, Gauge, type Registry } from "prom-client";
import { memoizePerInstance } from "../http/memoize-per-instance.ts";
import type { Services } from "../http/services.ts";
import { replaceSamples, shareReading } from "../http/share-reading.ts";
import type { Db } from "../storage/storage.ts";
import { type AnyQueue, dueKeys } from "./queue.ts";

/**
 * How a run ended: `retried` and `failed` (given up) after a failure, `busy` if others were using what it needs, `lost` if the
 * row changed or another process took over, `error` after an unexpected error.
 */
export type RunOutcome = "done" | "retried" | "failed" | "busy" | "lost" | "error";

const runsOf = memoizePerInstance(
  (metrics: Registry) =>
    new Counter({
      name: "tandem_queue_runs_total",
      help: "Pieces of deferred work, by queue and outcome: done, retried, failed (given up), busy, lost or error.",
      labelNames: ["queue", "outcome"],
      registers: [metrics],
    }),
);

export function countRun(services: Services, queue: string, outcome: RunOutcome): void {
  runsOf(services.metrics).inc({ queue, outcome });
}

/** Rows that are counted at most, so that a scrape costs little however long the queue is. */
const COUNTED = 1000;

interface Waiting {
  queue: string;
  waiting: number;
  oldestSeconds: number;
}

/** Reports how much deferred work is due in each queue, and for how long. */
export function watchQueues(services: Services, queuesOf: (services: Services) => AnyQueue[]): void {
  const { metrics, storage, now } = services;
  const read = () => Promise.all(queuesOf(services).map((queue) => readQueue(storage.read, queue, now())));
  const shared = shareReading<Waiting[]>(read, []);
  const report = (name: string, help: string, measure: (queue: Waiting) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ["queue"],
      aggregator: "max",
      registers: [metrics],
      async collect() {
        const samples = (await shared()).map((found) => [{ queue: found.queue }, measure(found)] as const);
        replaceSamples(this, samples);
      },
    });
  report(
    "tandem_queue_waiting",
    `Pieces of deferred work that are due and not in progress, by queue; at most ${COUNTED} are counted.`,
    ({ waiting }) => waiting,
  );
  report(
    "tandem_queue_oldest_seconds",
    "For how long the oldest piece of deferred work has been due, by queue; 0 if none is.",
    ({ oldestSeconds }) => oldestSeconds,
  );
  runsOf(metrics);
}

async function readQueue(db: Db, queue: AnyQueue, now: number): Promise<Waiting> {
  const due = dueKeys(db, queue, { now, limit: COUNTED });
  const { rows } = await sql<{ waiting: number; first: number | null }>`
    select count(*) as waiting, min(due_at) as first from (${due}) as due`.execute(db);
  const [{ waiting = 0, first = null } = {}] = rows;
  const oldestSeconds = first === null ? 0 : (now - Number(first)) / 1000;
  return { queue: queue.kind, waiting: Number(waiting), oldestSeconds };
}

import { setTimeout as pause } from "node:timers/promises";
import { MINUTE } from "@tandem/contract/durations";
import type { Services } from "../http/services.ts";
import { type Db, Overloaded } from "../storage/storage.ts";
import { traceWork } from "../tracing/tracing.ts";
import {
  claim,
  isDue,
  isStillLeased,
  LeaseLostError,
  type Queue,
  type QueueRow,
  type QueueTable,
  release,
  renew,
} from "./queue.ts";
import { countRun, type RunOutcome } from "./queue-metrics.ts";

/** What is done with the rows of a queue. */
export interface Work<Table extends QueueTable> extends Queue<Table> {
  /** How many rows a process works on at the same time. */
  atOnce(services: Services): number;
  /** Does the work, and ends the lease in the same transaction as the result. */
  run(services: Services, row: QueueRow<Table>, signal: AbortSignal): Promise<Ran>;
}

/** The outcome; with `stop`, the rest of the queue waits for the next run. */
type Ran = { outcome: RunOutcome; stop?: boolean };

/** Milliseconds between checks for due rows while work is in progress. */
const LOOK = 1000;

/** Runs due rows until none is left or the signal aborts. Several processes can do this at the same time. */
export async function workOff<Table extends QueueTable>(
  services: Services,
  work: Work<Table>,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const running = new Set<Promise<void>>();
  let stopped = false;
  const start = (row: QueueRow<Table>) => {
    const run = attempt(services, work, row, signal).then(({ outcome, stop }) => {
      countRun(services, work.kind, outcome);
      stopped ||= stop === true;
      running.delete(run);
    });
    running.add(run);
  };
  try {
    while (!signal.aborted && !stopped) {
      const room = work.atOnce(services) - running.size;
      const rows = room > 0 ? await claimDue(services, work, room) : [];
      for (const row of rows) start(row);
      if (rows.length > 0 && rows.length < room) continue;
      if (running.size === 0) return;
      await oneEnds(running);
    }
  } finally {
    await Promise.all(running);
  }
}

async function claimDue<Table extends QueueTable>(
  { storage, now }: Services,
  work: Work<Table>,
  limit: number,
): Promise<QueueRow<Table>[]> {
  if (!(await isDue(storage.read, work, { now: now() }))) return [];
  return storage.write((tx) => claim(tx, work, { now: now(), limit }));
}

/** Never rejects. */
async function attempt<Table extends QueueTable>(
  services: Services,
  work: Work<Table>,
  row: QueueRow<Table>,
  signal: AbortSignal,
): Promise<Ran> {
  const stopRenewing = keepLease(services, work, row);
  try {
    return await traceWork(`queue ${work.kind}`, { "tandem.queue": work.kind }, () =>
      work.run(services, row, signal),
    );
  } catch (err) {
    if (err instanceof LeaseLostError) return { outcome: "lost" };
    // The row is due again when its lease ends.
    services.log.error({ err, queue: work.kind, key: row[work.key] }, "deferred work failed");
    return { outcome: "error" };
  } finally {
    stopRenewing();
  }
}

/** Renews the lease while the work takes longer than expected. If another process took over, the work's own writes fail. */
function keepLease<Table extends QueueTable>(
  { storage, log }: Services,
  work: Work<Table>,
  row: QueueRow<Table>,
): () => void {
  const renewing = setInterval(() => {
    storage
      .write((tx) => renew(tx, work, row, work.lease))
      .catch((err) => {
        if (!(err instanceof LeaseLostError))
          log.warn({ err, queue: work.kind }, "a lease could not be renewed");
      });
  }, work.lease / 3);
  return () => clearInterval(renewing);
}

/** Waits until any ends, but not for long: more work becomes due meanwhile, and some takes an hour. */
async function oneEnds(running: ReadonlySet<Promise<void>>): Promise<void> {
  const ended = new AbortController();
  const look = pause(LOOK, undefined, { signal: ended.signal }).catch(() => {});
  await Promise.race([look, ...running]);
  ended.abort();
}

/** Tables that count the attempts at a row, so that a row whose work always fails is given up. */
export type RetriedTable = {
  [Table in QueueTable]: QueueRow<Table> extends { attempts: number } ? Table : never;
}[QueueTable];

/** Work that is retried when it fails. */
export interface RetriedWork<Table extends RetriedTable> extends Omit<Queue<Table>, "countsAttempts"> {
  readonly atOnce: number;
  /** After so many failed attempts the work is given up. */
  readonly maxAttempts: number;
  /** Milliseconds until the next attempt. */
  pauseAfter(attempts: number, error: unknown): number;
  /** Does the work, and ends the lease in the same transaction as the result. */
  run(services: Services, row: QueueRow<Table>, signal: AbortSignal): Promise<void>;
  /** Whether another attempt can't help. */
  isFinal?(error: unknown): boolean;
  /** Whether attempts that end with `Overloaded` don't count: what the work needs was busy, and will be free. */
  readonly waitsWhenBusy?: boolean;
  /** Whether the rest of the queue would fail in the same way. */
  stopsQueue?(error: unknown): boolean;
  /** Gives the row up, and ends the lease. */
  giveUp(tx: Db, services: Services, row: QueueRow<Table>): Promise<void>;
  log(services: Services, row: QueueRow<Table>, error: unknown, isLast: boolean): void;
}

/** Milliseconds until the next attempt after `Overloaded`. */
const BUSY_PAUSE = MINUTE;

/** Retries failed work after `pauseAfter`, up to `maxAttempts` times. */
export function retried<Table extends RetriedTable>(work: RetriedWork<Table>): Work<Table> {
  const { run, atOnce } = work;
  return {
    ...work,
    countsAttempts: true,
    atOnce: () => atOnce,
    async run(services, row, signal) {
      const { attempts } = row as { attempts: number };
      // The attempts before ended without a word: the work may have killed the process.
      if (attempts > work.maxAttempts) {
        await services.storage.write((tx) => work.giveUp(tx, services, row));
        work.log(services, row, new Error("All attempts ended unfinished."), true);
        return { outcome: "failed" };
      }
      try {
        await run(services, row, signal);
        return { outcome: "done" };
      } catch (error) {
        if (!(await isStillLeased(services.storage.read, work, row))) throw new LeaseLostError();
        const outcome = await services.storage.write((tx) => fail(tx, services, work, row, error));
        if (outcome !== "busy") work.log(services, row, error, outcome === "failed");
        return { outcome, stop: work.stopsQueue?.(error) === true };
      }
    },
  };
}

async function fail<Table extends RetriedTable>(
  tx: Db,
  services: Services,
  work: RetriedWork<Table>,
  row: QueueRow<Table>,
  error: unknown,
): Promise<RunOutcome> {
  const { attempts } = row as { attempts: number };
  const now = services.now();
  const retry = (values: { due_at: number; attempts?: number }) =>
    release(tx, work, row, values as Partial<QueueRow<Table>>);
  if (work.waitsWhenBusy && error instanceof Overloaded && error.isTransient) {
    await retry({ due_at: now + BUSY_PAUSE, attempts: attempts - 1 });
    return "busy";
  }
  if (attempts >= work.maxAttempts || work.isFinal?.(error)) {
    await work.giveUp(tx, services, row);
    return "failed";
  }
  await retry({ due_at: Math.round(now + work.pauseAfter(attempts, error)) });
  return "retried";
}

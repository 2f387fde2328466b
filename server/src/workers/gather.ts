import cluster, { type Worker } from "node:cluster";
import { AggregatorRegistry } from "prom-client";
import type { createLog } from "../app.ts";
import { type FromWorker, type Metric, tell } from "./messages.ts";

/** Milliseconds a worker has to report its metrics; otherwise its previous report is used. */
const PATIENCE = 2000;

/**
 * Runs in the primary: sums the metrics of all workers for the worker that asks. The last report of an ended worker still
 * counts, because a falling counter would look like a restart of the whole service.
 */
export function gatherMetrics(log: Pick<ReturnType<typeof createLog>, "error">): void {
  const told = new Map<Worker, Metric[]>();
  let ended: Promise<Metric[]> = Promise.resolve([]);
  let rounds = 0;
  let underWay: Promise<string | null> | null = null;

  const gather = async (): Promise<string> => {
    rounds += 1;
    const round = rounds;
    const asked = [...told.keys()].map(async (worker) => {
      const metrics = await count(worker, round);
      if (metrics && told.has(worker)) told.set(worker, metrics);
    });
    await Promise.all(asked);
    return sum(await Promise.all([ended, ...told.values()])).metrics();
  };

  /** Concurrent requests share one round. Errors are logged: throwing would end all workers. */
  const share = (): Promise<string | null> => {
    underWay ??= gather()
      .catch((err) => {
        log.error({ err }, "the workers' metrics can't be summed up");
        return null;
      })
      .finally(() => {
        underWay = null;
      });
    return underWay;
  };

  cluster.on("message", async (worker: Worker, message: FromWorker) => {
    if (message.kind === "serves") told.set(worker, []);
    if (message.kind !== "asks") return;
    tell(worker, { kind: "answers", question: message.question, metrics: await share() });
  });
  cluster.on("exit", (worker) => {
    const last = (told.get(worker) ?? []).filter(lasts);
    told.delete(worker);
    ended = add(ended, last);
  });
}

/** A worker's metrics; null if it ends or doesn't answer in time. */
function count(worker: Worker, round: number): Promise<Metric[] | null> {
  return new Promise((resolve) => {
    const end = (metrics: Metric[] | null) => {
      clearTimeout(timer);
      worker.off("message", hear).off("exit", lose);
      resolve(metrics);
    };
    const hear = (message: FromWorker) => {
      if (message.kind === "counted" && message.round === round) end(message.metrics);
    };
    const lose = () => end(null);
    const timer = setTimeout(lose, PATIENCE);
    worker.on("message", hear).on("exit", lose);
    tell(worker, { kind: "count", round });
  });
}

/** Leaves out metrics that can't be summed. */
async function add(counted: Promise<Metric[]>, last: Metric[]): Promise<Metric[]> {
  const before = await counted;
  try {
    return await sum([before, last]).getMetricsAsJSON();
  } catch {
    return before;
  }
}

function sum(counted: Metric[][]) {
  return AggregatorRegistry.aggregate(counted);
}

/** Counters outlive their process; gauges such as memory don't. */
function lasts({ type }: Metric): boolean {
  return type === "counter" || type === "histogram";
}

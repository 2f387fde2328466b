import cluster, { type Worker } from "node:cluster";
import { AggregatorRegistry } from "prom-client";
import type { createLog } from "../app.ts";
import { type FromWorker, type Metric, tell } from "./messages.ts";

/** How many milliseconds a worker has to tell what it counted; else what it told last must do. */
const PATIENCE = 2000;

/**
 * Sums up, in the primary, what all workers have counted, and tells it to the worker that asks. What a worker that has
 * ended told last goes on to count: a sum that falls would look as if the whole service had begun anew.
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

  /** However many ask at once, one round answers all. A fault is logged: thrown, it would end all workers. */
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

/** What a worker has counted; null if it ends first, or has no time to tell. */
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

/** What can't be added is left out, so that the rest still counts. */
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

/** What was counted was counted; memory and handles are gone with the process. */
function lasts({ type }: Metric): boolean {
  return type === "counter" || type === "histogram";
}

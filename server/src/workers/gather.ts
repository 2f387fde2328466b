import cluster, { type Worker } from "node:cluster";
import { AggregatorRegistry } from "prom-client";
import { type FromWorker, type Metric, tell } from "./messages.ts";

/** How many milliseconds a worker has to tell what it counted; else what it told last must do. */
const PATIENCE = 2000;

/**
 * Sums up, in the primary, what all workers have counted, and tells it to the worker that asks. What a worker that has
 * ended told last goes on to count: a sum that falls would look as if the whole service had begun anew.
 */
export function gatherMetrics(): void {
  const told = new Map<Worker, Metric[]>();
  let ended: Promise<Metric[]> = Promise.resolve([]);
  let rounds = 0;

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

  cluster.on("message", async (worker: Worker, message: FromWorker) => {
    if (message.kind === "serves") told.set(worker, []);
    if (message.kind !== "asks") return;
    tell(worker, { kind: "answers", question: message.question, metrics: await gather() });
  });
  cluster.on("exit", (worker) => {
    const last = (told.get(worker) ?? []).filter(lasts);
    told.delete(worker);
    ended = ended.then((before) => sum([before, last]).getMetricsAsJSON());
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

function sum(counted: Metric[][]) {
  return AggregatorRegistry.aggregate(counted);
}

/** What was counted was counted; memory and handles are gone with the process. */
function lasts({ type }: Metric): boolean {
  return type === "counter" || type === "histogram";
}

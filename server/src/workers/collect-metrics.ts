import cluster, { type Worker } from "node:cluster";
import { AggregatorRegistry } from "prom-client";
import type { createLog } from "../app.ts";
import { type FromWorker, type Metric, send } from "./messages.ts";

/** Milliseconds a worker has to report its metrics; otherwise its previous report is used. */
const TIMEOUT = 2000;

/**
 * Runs in the primary: sums the metrics of all workers for the worker that requests them. The last report of an ended worker still
 * counts, because a falling counter would look like a restart of the whole service.
 */
export function collectMetrics(log: Pick<ReturnType<typeof createLog>, "error">): void {
  const reports = new Map<Worker, Metric[]>();
  let ended: Promise<Metric[]> = Promise.resolve([]);
  let rounds = 0;
  let inProgress: Promise<string | null> | null = null;

  const collect = async (): Promise<string> => {
    rounds += 1;
    const round = rounds;
    const requests = [...reports.keys()].map(async (worker) => {
      const metrics = await count(worker, round);
      if (metrics && reports.has(worker)) reports.set(worker, metrics);
    });
    await Promise.all(requests);
    return sum(await Promise.all([ended, ...reports.values()])).metrics();
  };

  /** Concurrent requests share one round. Errors are logged: throwing would end all workers. */
  const share = (): Promise<string | null> => {
    inProgress ??= collect()
      .catch((err) => {
        log.error({ err }, "the workers' metrics could not be summed");
        return null;
      })
      .finally(() => {
        inProgress = null;
      });
    return inProgress;
  };

  cluster.on("message", async (worker: Worker, message: FromWorker) => {
    if (message.kind === "serves") reports.set(worker, []);
    if (message.kind !== "asks") return;
    send(worker, { kind: "responses", question: message.question, metrics: await share() });
  });
  cluster.on("exit", (worker) => {
    const last = (reports.get(worker) ?? []).filter(isCumulative);
    reports.delete(worker);
    ended = add(ended, last);
  });
}

/** A worker's metrics; null if it exits or doesn't respond in time. */
function count(worker: Worker, round: number): Promise<Metric[] | null> {
  return new Promise((resolve) => {
    const end = (metrics: Metric[] | null) => {
      clearTimeout(timer);
      worker.off("message", onMessage).off("exit", onExit);
      resolve(metrics);
    };
    const onMessage = (message: FromWorker) => {
      if (message.kind === "counted" && message.round === round) end(message.metrics);
    };
    const onExit = () => end(null);
    const timer = setTimeout(onExit, TIMEOUT);
    worker.on("message", onMessage).on("exit", onExit);
    send(worker, { kind: "count", round });
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
function isCumulative({ type }: Metric): boolean {
  return type === "counter" || type === "histogram";
}

import type { Worker } from "node:cluster";
import { Registry } from "prom-client";
import type { Config } from "../config.ts";
import type { Metrics } from "../http/metrics.ts";
import { exitSoon, serve } from "../serve.ts";
import type { FromPrimary, FromWorker } from "./messages.ts";

/**
 * Serves as one of several workers, until the primary or a signal stops it. If the primary dies, Node ends this process
 * immediately.
 */
export async function work(worker: Worker, config: Config): Promise<void> {
  // The channel to the primary would keep the process alive.
  const service = await serve(config, metricsOfAll(worker), () => {
    worker.disconnect();
    exitSoon();
  });
  worker.on("message", (message: FromPrimary) => {
    if (message.kind === "stop") void service.stop(message.reason);
  });
  send(worker, { kind: "serves", address: service.address });
}

/** Reports this worker's metrics to the primary, which publishes the sum. */
function metricsOfAll(worker: Worker): Metrics {
  const own = new Registry();
  const questions = new Map<number, (metrics: string | null) => void>();
  let lastQuestion = 0;
  worker.on("message", async (message: FromPrimary) => {
    if (message.kind === "count")
      send(worker, { kind: "counted", round: message.round, metrics: await own.getMetricsAsJSON() });
    if (message.kind !== "responses") return;
    questions.get(message.question)?.(message.metrics);
    questions.delete(message.question);
  });
  return {
    own,
    all() {
      lastQuestion += 1;
      const question = lastQuestion;
      send(worker, { kind: "asks", question });
      return new Promise((resolve, reject) => {
        questions.set(question, (metrics) => {
          if (metrics === null) reject(new Error("the primary could not sum the metrics"));
          else resolve(metrics);
        });
      });
    },
  };
}

function send(worker: Worker, message: FromWorker): void {
  worker.send(message);
}

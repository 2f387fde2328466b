import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { House } from "./house.ts";
import type { Metrics } from "./metrics.ts";

/** What operators see: a log line and a measurement of each request, and whether the service is well. */
export function watch(server: FastifyInstance, house: House, { own, all }: Metrics): void {
  countProcess(own);
  const durations = new Histogram({
    name: "tandem_request_duration_seconds",
    help: "How long requests took, by operation and status.",
    labelNames: ["operation", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [own],
  });
  new Gauge({
    name: "tandem_replica_in_use",
    help: "Whether a replica of the database is read from, by its host and port; of several workers, by all of them.",
    aggregator: "min",
    labelNames: ["replica"],
    registers: [own],
    collect() {
      for (const { name, inUse } of house.storage.replicas()) this.set({ replica: name }, Number(inUse));
    },
  });
  new Gauge({
    name: "tandem_open_streams",
    help: "How many callers listen to a stream of events.",
    registers: [own],
    collect() {
      this.set(house.streams.size);
    },
  });
  new Counter({
    name: "tandem_notifications_total",
    help: "Notifications that were added, by type.",
    labelNames: ["type"],
    registers: [own],
    collect() {
      this.reset();
      for (const [type, times] of house.storage.news.told) this.inc({ type }, times);
    },
  });
  server.addHook("onResponse", (request, reply, done) => {
    const operation = request.op?.name ?? "none";
    const { statusCode: status, elapsedTime: duration_ms } = reply;
    // How long somebody listened says nothing of how quick we are.
    if (!request.op?.streams) durations.observe({ operation, status }, duration_ms / 1000);
    request.log.info({ operation, status, duration_ms }, `${operation} answered ${status}`);
    done();
  });
  server.get("/healthz", async () => ({ ok: true }));
  server.get("/readyz", async () => {
    await house.storage.ready();
    return { ok: true };
  });
  server.get("/metrics", async (_request, reply) => reply.type(own.contentType).send(await all()));
}

let ofProcess: Registry | undefined;

/**
 * What the process itself needs of memory, time and handles. The library looks by observers that nothing takes off again,
 * so they are made once: made anew for each service, they would keep every one that has stopped in memory.
 */
function countProcess(own: Registry): void {
  if (!ofProcess) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  for (const { name } of ofProcess.getMetricsAsArray()) {
    const metric = ofProcess.getSingleMetric(name);
    if (metric) own.registerMetric(metric);
  }
}

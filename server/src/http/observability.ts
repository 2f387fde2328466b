import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { DatabaseUnusable, Overloaded } from "../storage/storage.ts";
import { ApiError } from "./api-error.ts";
import { reportBuild } from "./build-info.ts";
import type { Metrics } from "./metrics.ts";
import { serveMetrics } from "./metrics-endpoint.ts";
import { durationOf } from "./overload.ts";
import type { Services } from "./services.ts";

/** Counts a request of an operation by its outcome. Milliseconds. */
export type CountRequest = (operation: string, status: number, duration: number) => void;

/** For administrators: metrics and health checks. Returns how requests are counted. */
export function watch(server: FastifyInstance, services: Services, metrics: Metrics): CountRequest {
  const { own } = metrics;
  countProcess(own);
  reportBuild(own, services.config.commit);
  const durations = new Histogram({
    name: "tandem_request_duration_seconds",
    help: "How long requests took, by operation and status.",
    labelNames: ["operation", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [own],
  });
  const count: CountRequest = (operation, status, duration) =>
    durations.observe({ operation, status }, duration / 1000);
  new Gauge({
    name: "tandem_replica_in_use",
    help: "Whether a replica of the database is read from, by its host and port; of several workers, by all of them.",
    aggregator: "min",
    labelNames: ["replica"],
    registers: [own],
    collect() {
      for (const { name, inUse } of services.storage.replicas()) this.set({ replica: name }, Number(inUse));
    },
  });
  new Gauge({
    name: "tandem_open_streams",
    help: "How many callers listen to a stream of events.",
    registers: [own],
    collect() {
      this.set(services.streams.size);
    },
  });
  new Counter({
    name: "tandem_notifications_total",
    help: "Notifications that were added, by type.",
    labelNames: ["type"],
    registers: [own],
    collect() {
      this.reset();
      for (const [type, times] of services.storage.changes.counters) this.inc({ type }, times);
    },
  });
  server.addHook("onResponse", (request, reply, done) => {
    // The duration of an event stream says nothing about speed.
    if (!request.op?.streams) count(request.op?.name ?? "none", reply.statusCode, durationOf(request, reply));
    done();
  });
  const config = { cost: "probe" } as const;
  server.get("/healthz", { config }, async () => ({ ok: true }));
  server.get("/readyz", { config }, async (request, reply) => {
    if (services.shutdown.hasBegun)
      throw new ApiError("overloaded", "The service is stopping.", { retryAfter: 1 });
    try {
      await services.storage.ready();
      return { ok: true };
    } catch (error) {
      if (!(error instanceof Overloaded)) throw error;
      if (!(error instanceof DatabaseUnusable))
        throw new ApiError("overloaded", `${error.message}.`, { retryAfter: 1, cause: error });
      const { message, reason: code, advice: hint } = error;
      request.log.error({ err: error, reason: code }, `the service isn't ready: ${message}. ${hint}`);
      reply.errorCode = "storage_failure";
      return reply
        .code(503)
        .header("cache-control", "no-store")
        .send({ error: `${message}.`, code, hint });
    }
  });
  serveMetrics(server, services, metrics);
  return count;
}

let ofProcess: Registry | undefined;

/**
 * Process metrics: memory, CPU, handles. prom-client never removes its observers, so they are created once per process;
 * otherwise they would keep stopped services in memory.
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

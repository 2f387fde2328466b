import cluster, { type Worker } from "node:cluster";
import { EventEmitter } from "node:events";
import { eventually } from "@tandem/testing/eventually";
import { afterEach, expect, test, vi } from "vitest";
import { collectMetrics } from "./collect-metrics.ts";
import type { FromPrimary, FromWorker, Metric } from "./messages.ts";

afterEach(() => {
  cluster.removeAllListeners();
});

const metric = (value: number, aggregator = "sum") => ({
  ...{ name: "posts", help: "Posts.", type: "counter", aggregator },
  values: [{ value, labels: {} }],
});

/** A fake worker that reports its metrics and records the messages it receives. */
function begin(metrics: Metric[]) {
  const received: FromPrimary[] = [];
  const emitter = new EventEmitter();
  const say = (message: FromWorker) => {
    emitter.emit("message", message);
    cluster.emit("message", worker, message);
  };
  const send = (message: FromPrimary) => {
    received.push(message);
    if (message.kind === "count") setImmediate(say, { kind: "counted", round: message.round, metrics });
  };
  const worker = Object.assign(emitter, { send }) as unknown as Worker;
  say({ kind: "serves", address: "" });
  const end = () => {
    emitter.emit("exit");
    cluster.emit("exit", worker);
  };
  const of = (kind: FromPrimary["kind"]) => received.filter((message) => message.kind === kind);
  return { say, end, of };
}

test("concurrent scrapes share one round", async () => {
  collectMetrics({ error: vi.fn() });
  const worker = begin([metric(3)]);
  for (let question = 0; question < 20; question++) worker.say({ kind: "asks", question });
  await eventually(() => expect(worker.of("responses")).toHaveLength(20));
  expect(worker.of("count")).toHaveLength(1);
  expect(worker.of("responses")[19]).toMatchObject({ metrics: expect.stringContaining("posts 3") });
});

test("returns null while a worker reports metrics that can't be summed", async () => {
  const log = { error: vi.fn() };
  collectMetrics(log);
  const good = begin([metric(3)]);
  const bad = begin([{ ...metric(1, "nonsense"), ...{ name: "odd" } } as Metric]);
  good.say({ kind: "asks", question: 1 });
  await eventually(() =>
    expect(good.of("responses")).toEqual([{ kind: "responses", question: 1, metrics: null }]),
  );
  expect(log.error).toHaveBeenCalledOnce();
  bad.end();
  good.say({ kind: "asks", question: 2 });
  await eventually(() => expect(good.of("responses")).toHaveLength(2));
  expect(good.of("responses")[1]).toMatchObject({ metrics: expect.stringContaining("posts 3") });
});

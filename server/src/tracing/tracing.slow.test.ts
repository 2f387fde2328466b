import { Callers } from "@tandem/testing/callers";
import { eventually } from "@tandem/testing/eventually";
import { loopback, Origin } from "@tandem/testing/origin";
import { drawPicture } from "@tandem/testing/pictures";
import { createDatabase } from "@tandem/testing/postgres";
import { startProcess } from "@tandem/testing/process";
import { temporaryDirectory } from "@tandem/testing/storage";
import { type EngineName, engines } from "@tandem/testing/tandem";
import { TraceCollector } from "@tandem/testing/trace-collector";
import { expect, test } from "vitest";

const parent = { trace: "0af7651916cd43dd8448eb211c80319c", span: "b7ad6b7169203331" };
const traceparent = `00-${parent.trace}-${parent.span}-01`;
const requestId = "proxy-1";

async function start(engine: EngineName, collector: TraceCollector, env: Record<string, string> = {}) {
  const directory = await temporaryDirectory();
  const database = engine === "postgres" ? await createDatabase() : null;
  const service = await startProcess(directory.path, {
    LOG_LEVEL: "info",
    MAIL_URL: "off",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    ...(database && { DATABASE_URL: database.url }),
    ...env,
  });
  const dispose = async () => {
    for (const one of [service, directory, database]) await one?.[Symbol.asyncDispose]();
  };
  return { service, as: new Callers(service.address), [Symbol.asyncDispose]: dispose };
}

test.each(engines)("a request's trace on %s has its statements, media work and log lines", async (engine) => {
  await using collector = await TraceCollector.start();
  await using receiver = await Origin.start();
  receiver.show("/hook", { status: 204 });
  await using running = await start(engine, collector, {
    ...loopback,
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20secret",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
  });
  const { service, as } = running;
  const ada = await as.human();
  const { cookie = "" } = ada.options.headers ?? {};
  const form = new FormData();
  form.set("title", "Not in the trace");
  form.set("image", new Blob([new Uint8Array(await drawPicture())]), "picture.png");
  const headers = { cookie, traceparent, "x-request-id": requestId };
  const posted = await fetch(`${service.address}/api/posts`, { method: "POST", headers, body: form });
  expect(posted.status).toBe(200);
  const { webhook } = await ada.createWebhook({ url: `${receiver.url}/hook` });
  await ada.testWebhook({ id: webhook.id });
  await eventually(() => expect(receiver.requests).toHaveLength(1));
  const page = await fetch(`${service.address}/`, { headers: { accept: "text/html" } });
  expect(page.status).toBe(200);
  // Nothing is lost: what hasn't been sent is sent when the service stops.
  expect(await service.stop("SIGTERM")).toBe(0);

  expect(collector.resource).toMatchObject({
    "service.name": "tandem",
    "deployment.environment.name": "test",
  });
  expect(collector.headers.authorization).toBe("Bearer secret");
  const spans = collector.trace(parent.trace);
  const request = spans.find(({ parentId }) => parentId === parent.span);
  expect(request).toMatchObject({
    name: "POST /api/posts",
    kind: 2,
    status: 0,
    attributes: {
      "http.request.method": "POST",
      "http.route": "/api/posts",
      "http.response.status_code": 200,
      "tandem.operation": "createPost",
      "tandem.caller": "person",
      "tandem.request": requestId,
    },
  });
  // Authenticated before the body was read, converted and inserted after it.
  expect(spans.map(({ parent, name }) => [parent, name])).toEqual(
    expect.arrayContaining([
      ["POST /api/posts", "SELECT sessions"],
      ["POST /api/posts", "media inspectPicture"],
      ["POST /api/posts", "transaction"],
      ["transaction", "INSERT posts"],
    ]),
  );
  expect(spans.find(({ name }) => name === "INSERT posts")?.attributes).toEqual({
    "db.system.name": engine === "postgres" ? "postgresql" : "sqlite",
    "db.operation.name": "INSERT",
    "db.collection.name": "posts",
  });
  const lines = service.lines.flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
  expect(lines.find(({ request }) => request === requestId)).toMatchObject({
    trace_id: parent.trace,
    span_id: request?.spanId,
  });

  // Another server learns of the trace of the work that called it.
  const [, hookTrace = ""] =
    /^00-([\da-f]{32})-/.exec(String(receiver.requests[0]?.headers.traceparent)) ?? [];
  expect(collector.trace(hookTrace)).toContainEqual(
    expect.objectContaining({
      name: "POST",
      kind: 3,
      parent: "queue webhooks",
      attributes: {
        "http.request.method": "POST",
        "server.address": "127.0.0.1",
        "http.response.status_code": 204,
      },
    }),
  );
  // A page's requests in the process belong to its trace.
  const drawn = collector.spans.find(({ name }) => name === "GET /");
  expect(collector.trace(String(drawn?.traceId))).toContainEqual(
    expect.objectContaining({ name: "GET /api/posts", parent: "GET /", kind: 1 }),
  );
  expect(collector.spans.some(({ name }) => name === "job webhooks")).toBe(true);
  expect(JSON.stringify(collector.spans)).not.toMatch(/Not in the trace|correct horse|\/hook/);
});

test("a collector that never responds delays neither requests nor the stop", async () => {
  await using collector = await TraceCollector.start();
  collector.hangs = true;
  // Far longer than what a stop may take.
  await using running = await start("sqlite", collector, { OTEL_EXPORTER_OTLP_TIMEOUT: "600000" });
  const ada = await running.as.human();
  await ada.createPost({ title: "Still here" });
  expect((await ada.listPosts()).posts).toHaveLength(1);
  expect(await running.service.stop("SIGTERM")).toBe(0);
});

import type { Person } from "@tandem/testing/callers";
import { eventually } from "@tandem/testing/eventually";
import { sendBytes } from "@tandem/testing/raw-http";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { blockWrites } from "@tandem/testing/write-lock";
import fastify from "fastify";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { respondToErrors } from "./errors.ts";
import { shedOverload } from "./overload.ts";

let tandem: Tandem;
let person: Person;
beforeAll(async () => {
  tandem = await startTandem("sqlite", { env: { MAX_WAIT: "200" } });
  person = await tandem.as.human();
});
afterAll(() => tandem.stop());

const get = (path: string, headers: Record<string, string> = {}) => fetch(tandem.baseUrl + path, { headers });

/** A metric's value, over all of its labels. */
async function metric(name: string): Promise<number> {
  const lines = (await (await get("/metrics")).text()).split("\n");
  const values = lines
    .filter((line) => line.split(/[{ ]/, 1)[0] === name)
    .map((line) => line.split(" ").at(-1));
  return values.reduce((sum, value) => sum + Number(value), 0);
}

async function expectRefusal(response: Response): Promise<void> {
  expect(response.status).toBe(503);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(await response.json()).toEqual({
    error: expect.any(String),
    code: "overloaded",
    hint: expect.stringContaining("Retry-After"),
    docs: expect.stringContaining("overloaded"),
  });
}

test("while writes are stuck, few wait and others are refused; probes and reads work, and then all does", async () => {
  const write = () =>
    fetch(`${tandem.baseUrl}/api/posts`, {
      method: "POST",
      headers: { ...person.options.headers, "content-type": "application/json" },
      body: JSON.stringify({ title: "Waits" }),
    });
  await using lock = await blockWrites(tandem.storage);
  const began = performance.now();
  const writes = Array.from({ length: 100 }, write);
  let refused = 0;
  const refusals = writes.map(async (one) => {
    if ((await one).status !== 503) throw new Error("accepted");
    refused += 1;
    return one;
  });
  await expectRefusal(await Promise.any(refusals));
  const refusedAt = performance.now();
  for (const path of ["/healthz", "/readyz", "/metrics", "/api/posts"])
    expect((await get(path)).status).toBe(200);
  await eventually(async () =>
    expect(await metric("tandem_write_queue_length")).toBe(writes.length - refused),
  );
  expect(await metric("tandem_shed_requests_total")).toBe(refused);
  const sinceRefusal = performance.now() - refusedAt;
  const age = 1000 * (await metric("tandem_write_queue_age_seconds"));
  expect(age).toBeGreaterThan(sinceRefusal);
  expect(age).toBeLessThan(performance.now() - began);
  await lock.release();
  const statuses = (await Promise.all(writes)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect((await write()).status).toBe(200);
  for (const name of ["tandem_write_queue_length", "tandem_write_queue_age_seconds"])
    expect(await metric(name)).toBe(0);
  // What was accepted was done, and nothing else.
  const accepted = statuses.filter((status) => status === 200).length + 1;
  const [row] = await tandem.storage.read
    .selectFrom("posts")
    .select(({ fn }) => [fn.countAll<number>().as("count")])
    .execute();
  expect(row?.count).toBe(accepted);
});

test("more pages than the processor can render are refused; health checks and what the others need aren't", async () => {
  const headers = { ...person.options.headers, accept: "text/html" } as Record<string, string>;
  const [first] = filesOf(await (await get("/", headers)).text());
  if (first === undefined) throw new Error("the page needs no file");
  const statuses = { page: new Set<number>(), file: new Set<number>() };
  let admitted = 0;
  const reader = async () => {
    while (admitted < 50) {
      const page = await get("/", headers);
      statuses.page.add(page.status);
      if (page.status === 503) await expectRefusedPage(page);
      else {
        admitted += 1;
        statuses.file.add((await get(first)).status);
      }
    }
  };
  const readers = Array.from({ length: 200 }, reader);
  expect((await get("/healthz")).status).toBe(200);
  await Promise.all(readers);
  expect(statuses).toEqual({ page: new Set([200, 503]), file: new Set([200]) });
  expect((await get("/", headers)).status).toBe(200);
});

test("a refusal whose page can't be rendered is sent without it", async () => {
  const server = fastify();
  const page = { isWanted: () => true, render: () => Promise.reject(new Error("a file is missing")) };
  shedOverload(server, { ...tandem.services, metrics: new Registry() }, page);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  server.get("/", { config: { cost: "dear" } }, () => released);
  const address = await server.listen({ port: 0 });
  const responses = Array.from({ length: 5 }, () => fetch(address));
  await expectRefusal(await Promise.race(responses));
  release();
  await Promise.all(responses);
  await server.close();
});

test("headers that are longer than any browser's aren't examined before a refusal", async () => {
  const accept = "text/html,*/*;q=0.8";
  const typeFor = async (accept: string) => (await get("/nowhere", { accept })).headers.get("content-type");
  expect(await typeFor(accept)).toBe("text/html; charset=utf-8");
  expect(await typeFor(`${accept}${",a/b".repeat(1000)}`)).toBe("application/json; charset=utf-8");
});

/** Scripts, styles and fonts. */
function filesOf(html: string): string[] {
  return [...html.matchAll(/"(\/assets\/[^"]+)"/g)].flatMap(([, path]) => path ?? []);
}

async function expectRefusedPage(response: Response): Promise<void> {
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  // The browser tries again by itself.
  expect(Number(response.headers.get("refresh"))).toBeGreaterThan(0);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  const html = await response.text();
  expect(html).toContain("Tandem is busy</h1>");
  expect(html).not.toContain("<script");
}

test("a response that can't be sent becomes a 500, and later requests of the connection get theirs", async () => {
  await using server = fastify();
  server.decorateRequest("op", null).decorateReply("errorCode", null);
  const services = { ...tandem.services, metrics: new Registry() };
  respondToErrors(server, services);
  shedOverload(server, services, { isWanted: () => false, render: async () => null });
  server.get("/value", (_request, reply) => reply.header("x-name", "line\nbreak").send("text"));
  server.get("/name", (_request, reply) => reply.header("two words", "x").send("text"));
  server.get("/error", (_request, reply) => {
    reply.header("x-name", "line\nbreak").header("content-encoding", "br");
    throw new Error("failed");
  });
  server.get("/fine", () => "text");
  const codes: unknown[] = [];
  server.addHook("onResponse", async (_request, reply) => codes.push([reply.statusCode, reply.errorCode]));
  const address = await server.listen({ port: 0 });
  const requests = ["/value", "/name", "/error", "/fine"].map(
    (path) => `GET ${path} HTTP/1.1\r\nhost: x\r\n`,
  );
  const responses = await sendBytes(address, `${requests.join("\r\n")}connection: close\r\n\r\n`);
  expect(responses.match(/(?<=HTTP\/1.1 ).*/g)?.map((line) => line.trim())).toEqual([
    ...Array.from({ length: 3 }, () => "500 Internal Server Error"),
    "200 OK",
  ]);
  expect(responses.match(/"code":"internal"/g)).toHaveLength(3);
  expect(responses).not.toContain("content-encoding");
  // For the log and the metrics.
  expect(codes).toEqual([...Array.from({ length: 3 }, () => [500, "internal"]), [200, null]]);
});

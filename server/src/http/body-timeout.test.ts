import type { AddressInfo } from "node:net";
import { connect, Socket } from "node:net";
import Fastify, { LogController, type onRequestAsyncHookHandler } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { limitBodyTime, waiveBodyTimeout } from "./body-timeout.ts";
import { refuseMalformed } from "./errors.ts";
import { logRequests } from "./request-log.ts";
import { Shutdown } from "./shutdown.ts";

describe("a body that stalls", () => {
  const lines: Record<string, unknown>[] = [];
  const server = Fastify({
    logger: { stream: { write: (line: string) => lines.push(JSON.parse(line)) } },
    logController: new LogController({ disableRequestLogging: true }),
    clientErrorHandler: (error, socket) => refuseMalformed({ baseUrl: "" }, error, socket),
  });
  beforeAll(async () => {
    server.decorateRequest("op", null);
    logRequests(server, new Shutdown());
    limitBodyTime(server, 100);
    server.post("/", async () => "read");
    server.addContentTypeParser("multipart/form-data", (_request, _payload, done) => done(null));
    server.post("/files", async ({ raw }) => {
      waiveBodyTimeout(raw);
      for await (const _ of raw);
      return "read";
    });
    const onRequest: onRequestAsyncHookHandler = async (_request, reply) => reply.code(403).send("refused");
    server.post("/refused", { onRequest }, async () => "read");
    await server.listen();
  });
  afterAll(() => server.close());

  const begin = (path: string, type: string) => {
    const { port } = server.server.address() as AddressInfo;
    const socket = connect(port, "localhost");
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 2\r\n\r\n1`);
    return socket;
  };
  const received = (socket: ReturnType<typeof begin>) =>
    new Promise<string>((resolve) => socket.once("data", (data) => resolve(String(data))));

  test("returns 408, which is logged", async () => {
    expect(await received(begin("/", "application/json"))).toMatch(
      /^HTTP\/1.1 408 .*"code":"invalid_input"/s,
    );
    await expect
      .poll(() => lines)
      .toContainEqual(
        expect.objectContaining({
          route: "/",
          status: 408,
          code: "too_slow",
          msg: "none was cut off, because its body wasn't received in time",
        }),
      );
  });

  test("isn't reported for an in-process request that is rejected without reading it", async () => {
    const payload = { a: 1 };
    expect((await server.inject({ method: "POST", url: "/refused", payload })).statusCode).toBe(403);
    const blamed: unknown[] = [];
    server.server.prependListener("clientError", (_error, socket) => blamed.push(socket));
    // Began later, so the time of the first is over when this one's is.
    await received(begin("/", "application/json"));
    expect(blamed.map((socket) => socket instanceof Socket)).not.toContain(false);
  });

  test("isn't limited if it contains files", async () => {
    const slow = begin("/files", "multipart/form-data");
    const refused = await received(begin("/", "application/json"));
    expect(refused).toMatch(/ 408 /);
    slow.write("2");
    expect(await received(slow)).toMatch(/^HTTP\/1.1 200 .*read$/s);
    slow.destroy();
  });
});

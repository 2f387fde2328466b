import { connect } from "node:net";
import { openStorage } from "@tandem/testing/storage";
import { startTandem } from "@tandem/testing/tandem";
import { afterEach, expect, test, vi } from "vitest";
import { createApp, listen } from "../app.ts";
import { readConfig } from "../config.ts";
import { Admission, Ticket } from "./admission.ts";
import { AnswerFinder } from "./answer-finder.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

test("reads that had to wait are answered as any others, and refused as any others", async () => {
  await using tandem = await startTandem();
  const ada = await tandem.as.human();
  const { post } = await ada.createPost({ title: "Worth a wait" });
  const paths = [
    "/api/posts",
    `/api/posts/${post.id}`,
    `/api/posts/${post.id}/comments`,
    "/api/posts/999999",
    "/api/posts?limit=x",
  ];
  const ask = async (path: string, headers = {}) => {
    const response = await fetch(tandem.baseUrl + path, { headers: { ...ada.options.headers, ...headers } });
    const text = await response.text();
    return { status: response.status, text, type: response.headers.get("content-type"), response };
  };
  const before = await Promise.all(paths.map((path) => ask(`${path}${path.includes("?") ? "&" : "?"}_=1`)));
  // None starts at once.
  vi.spyOn(Admission.prototype, "begin").mockReturnValue(false);
  const entered = vi.spyOn(Admission.prototype, "enter");
  const waited = await Promise.all(paths.map((path) => ask(`${path}${path.includes("?") ? "&" : "?"}_=2`)));
  const facts = ({ status, text, type }: (typeof before)[number]) => ({ status, text, type });
  expect(waited.map(facts)).toEqual(before.map(facts));
  expect(waited.map(({ status }) => status)).toEqual([200, 200, 200, 404, 400]);
  // Each waits once.
  expect(entered).toHaveBeenCalledTimes(paths.length);
  // What stands against an answer is said although the caller is unknown.
  expect((await ask("/api/posts", { authorization: "Bearer unknown" })).status).toBe(401);

  entered.mockImplementation((entrant) => {
    entrant.refuse("reads");
    return new Ticket(entrant);
  });
  const { status, text, response } = await ask("/api/posts?_=3");
  expect([status, JSON.parse(text).code]).toEqual([503, "overloaded"]);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
});

test("an answer that is known by the time a read has waited isn't found out again", async () => {
  await using tandem = await startTandem();
  const ada = await tandem.as.human();
  await ada.createPost({ title: "Wanted" });
  const find = vi.spyOn(AnswerFinder.prototype, "find");
  const before = await ada.listPosts();
  // None starts at once.
  vi.spyOn(Admission.prototype, "begin").mockReturnValue(false);
  vi.spyOn(Admission.prototype, "isFree").mockReturnValue(false);
  expect(await ada.listPosts()).toEqual(before);
  expect(find).toHaveBeenCalledOnce();
});

test("a read that has waited keeps its place while the framework says what stands against an answer", async () => {
  await using tandem = await startTandem();
  const anyone = tandem.as.anonymous();
  vi.spyOn(Admission.prototype, "begin").mockReturnValue(false);
  const enter = vi.spyOn(Admission.prototype, "enter");
  const ticket = () => enter.mock.results[0]?.value as Ticket;
  const states: unknown[] = [];
  const { find } = AnswerFinder.prototype;
  vi.spyOn(AnswerFinder.prototype, "find").mockImplementation(function (this: AnswerFinder, ...asked) {
    states.push(ticket().state);
    return find.apply(this, asked);
  });
  expect((await anyone.call("readPost", { id: 999_999 })).status).toBe(404);
  expect(states).toEqual(["started", "started"]);
  await vi.waitFor(() => expect(ticket().state).toBe("ended"));
});

test("a read that has waited and ends in an error gives up its place, even if its response has to follow one that doesn't end", async () => {
  await using tandem = await startTandem();
  const ada = await tandem.as.human();
  const { cookie } = ada.options.headers as { cookie: string };
  const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`;
  vi.spyOn(Admission.prototype, "begin").mockReturnValue(false);
  const enter = vi.spyOn(Admission.prototype, "enter");
  const socket = connect(Number(new URL(tandem.baseUrl).port));
  socket.write(ask("/api/notifications/stream") + ask("/api/posts/999999"));
  const last = () => enter.mock.results[1]?.value as Ticket | undefined;
  await vi.waitFor(() => expect(last()?.state).toBe("ended"));
  expect(socket.destroyed).toBe(false);
  socket.destroy();
});

test("the log has a line of each read whose client leaves while it waits or while its answer is found", async () => {
  await using storage = await openStorage();
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => lines.push(JSON.parse(line)) };
  const config = readConfig({ PORT: "0", DATA_DIR: "/nowhere" });
  const app = createApp({ config, storage, logger: { level: "info", stream } });
  const port = Number(new URL(await listen(app)).port);
  vi.spyOn(Admission.prototype, "begin").mockReturnValue(false);
  const enter = vi.spyOn(Admission.prototype, "enter");
  const find = vi.spyOn(AnswerFinder.prototype, "find");
  for (const [path, operation, waits] of [
    ["/api/posts", "listPosts", enter],
    // With the framework.
    ["/api/posts?q=tea", "none", enter],
    ["/api/posts/1", "readPost", find],
  ] as const) {
    const socket = connect(port);
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    if (waits === enter) enter.mockImplementationOnce((entrant) => new Ticket(entrant));
    else find.mockImplementationOnce(() => left.then(() => Promise.reject(new Error("too late"))));
    waits.mockClear();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: ${operation}\r\n\r\n`);
    await vi.waitFor(() => expect(waits).toHaveBeenCalled());
    socket.destroy();
    await vi.waitFor(async () => expect(await connections(app)).toBe(0));
    leave();
    const found = () => lines.filter(({ request }) => request === operation);
    await expect.poll(found).toHaveLength(1);
    expect(found()).toEqual([
      expect.objectContaining({
        level: 30,
        operation,
        method: "GET",
        route: path === "/api/posts/1" ? "/api/posts/:id" : "/api/posts",
        status: null,
        code: "connection_closed",
        duration_ms: expect.any(Number),
        msg: `${operation} was cut off, because its connection closed`,
      }),
    ]);
  }
  await app.server.close();
});

function connections({ server }: ReturnType<typeof createApp>): Promise<number> {
  return new Promise((resolve) => server.server.getConnections((_error, count) => resolve(count)));
}

test("the log tells how long reads waited, also of those that were refused or ended in an error", async () => {
  await using storage = await openStorage();
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => lines.push(JSON.parse(line)) };
  const config = readConfig({ PORT: "0", DATA_DIR: "/nowhere" });
  const app = createApp({ config, storage, logger: { level: "info", stream } });
  const baseUrl = await listen(app);
  vi.spyOn(Admission.prototype, "begin").mockReturnValue(false);
  const enter = vi.spyOn(Admission.prototype, "enter");
  const waited = 60;
  for (const [path, status, outcome] of [
    ["/api/posts", 200, "admit"],
    ["/api/posts/999999", 404, "admit"],
    ["/api/posts?_=2", 503, "refuse"],
  ] as const) {
    enter.mockImplementationOnce((entrant) => {
      setTimeout(() => (outcome === "admit" ? entrant.admit() : entrant.refuse("reads")), waited);
      return new Ticket(entrant);
    });
    const response = await fetch(baseUrl + path);
    expect([response.status, await response.text()]).toEqual([status, expect.any(String)]);
    const id = response.headers.get("x-request-id");
    const line = () => lines.find(({ request, route }) => request === id && route !== undefined);
    await expect.poll(line).toMatchObject({ status });
    expect(line()?.duration_ms).toBeGreaterThan(waited - 5);
  }
  await app.server.close();
});

import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdir, stat } from "node:fs/promises";
import { Agent, IncomingMessage, request, ServerResponse } from "node:http";
import { connect, Socket } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { cookieOf } from "@tandem/testing/callers";
import { eventually } from "@tandem/testing/eventually";
import { drawPicture } from "@tandem/testing/pictures";
import { createDatabase } from "@tandem/testing/postgres";
import { startProcess } from "@tandem/testing/process";
import { temporaryDirectory } from "@tandem/testing/storage";
import { engines, startTandem } from "@tandem/testing/tandem";
import { expect, test } from "vitest";
import { Shutdown } from "./shutdown.ts";

test.each(["1", "2"])(
  "with WORKERS=%s, a request in progress during SIGTERM is completed and its write persists",
  async (workers) => {
    await using directory = await temporaryDirectory();
    await using service = await startProcess(directory.path, { WORKERS: workers });
    const cookie = await signUp(service.address);
    const request = await beginPost(service.address, cookie, '{"title":"In progress"}');
    const ended = service.stop("SIGTERM");
    await refuses(service.address);
    expect(await request.finish()).toMatch(/^HTTP\/1\.1 200 OK\r\n.*"title":"In progress"/s);
    expect(await ended).toBe(0);
    // Nothing is left to recover: the write-ahead log was merged into the database.
    expect((await readdir(directory.path)).filter((name) => name !== "log-head.json").sort()).toEqual([
      "secrets.key",
      "tandem.db",
    ]);
    await using again = await startTandem("sqlite", { dataDir: directory.path });
    const { posts } = await again.as.anonymous().listPosts();
    expect(posts).toEqual([expect.objectContaining({ title: "In progress" })]);
  },
);

test("connections that only wait delay the stop by less than 5 seconds", async () => {
  await using directory = await temporaryDirectory();
  await using another = await temporaryDirectory();
  await using service = await startProcess(directory.path);
  await using unused = await startProcess(another.path);
  const { address } = service;
  const cookie = await signUp(address);
  const head = (method: string, path: string, ...more: string[]) =>
    [`${method} ${path} HTTP/1.1`, "Host: x", `Cookie: ${cookie}`, ...more, "", ""].join("\r\n");
  const upload = ["Content-Type: multipart/form-data; boundary=x", "Content-Length: 1000"];
  const json = ["Content-Type: application/json", "Content-Length: 1000"];
  const sockets = {
    idle: await open(address, ""),
    slowHeader: await open(address, "GET / HTTP/1.1\r\nHost:"),
    slowBody: await open(address, `${head("POST", "/api/posts", ...json)}{`),
    slowUpload: await open(address, `${head("POST", "/api/posts", ...upload)}--x\r\n`),
    slowReader: await open(address, head("GET", "/api/openapi.json").repeat(200)),
    stream: await open(address, head("GET", "/api/notifications/stream")),
    refusedBody: await open(address, head("POST", "/api/auth/login", ...json).replace(/: 1000/, ": 3000000")),
  };
  sockets.slowReader.pause();
  for (const answered of [sockets.stream, sockets.refusedBody]) await once(answered, "data");
  const stop = async ({ stop }: typeof service) => {
    expect(await stop("SIGTERM")).toBe(0);
    return performance.now();
  };
  // A stop that waits for nothing takes 0.1 seconds on an idle machine, and as much longer as this one on a busy machine.
  const [end, unusedEnd] = await Promise.all([stop(service), stop(unused)]);
  expect(end - unusedEnd).toBeLessThan(5000);
  for (const socket of Object.values(sockets)) socket.destroy();
});

test("the log says when the service starts and stops, and which requests the stop cut off", async () => {
  await using directory = await temporaryDirectory();
  await using service = await startProcess(directory.path, { LOG_LEVEL: "info" });
  const cookie = await signUp(service.address);
  const socket = await open(
    service.address,
    [
      "POST /api/posts HTTP/1.1",
      ...["Host: x", `Cookie: ${cookie}`, "X-Request-Id: half", "Content-Type: application/json"],
      ...["Content-Length: 1000", "", "{"],
    ].join("\r\n"),
  );
  expect(await service.stop("SIGTERM")).toBe(0);
  socket.destroy();
  const lines = service.lines.flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
  expect(lines.filter(({ request }) => request === "half")).toEqual([
    expect.objectContaining({
      level: 40,
      operation: "createPost",
      status: null,
      code: "cut_off",
      msg: "createPost was cut off, because the service stops",
    }),
  ]);
  const order = lines.map(({ msg }) => msg).filter((msg) => /^the service|cut off/.test(msg));
  expect(order).toEqual([
    "the service has started",
    "the service stops",
    "createPost was cut off, because the service stops",
    "the service has stopped",
  ]);
  expect(lines.find(({ msg }) => msg === "the service has started")).toMatchObject({
    address: service.address,
    version: expect.stringMatching(/^\d/),
  });
  expect(lines.find(({ msg }) => msg === "the service stops")).toMatchObject({ reason: "SIGTERM" });
  expect(lines.filter(({ level }) => level > 40)).toEqual([]);
});

test("a request whose body didn't arrive gives nothing else more time", () => {
  const shutdown = new Shutdown();
  const request = new IncomingMessage(new Socket());
  const handle = () => shutdown.during(request, new ServerResponse(request), () => {});
  const since = shutdown.sinceLastHandled;
  handle();
  expect(shutdown.sinceLastHandled).toBeGreaterThanOrEqual(since);
  request.complete = true;
  handle();
  expect(shutdown.sinceLastHandled).toBeLessThan(since);
});

test("during STOP_DELAY, the service isn't ready and still accepts writes", async () => {
  await using directory = await temporaryDirectory();
  await using service = await startProcess(directory.path, { STOP_DELAY: "600" });
  const cookie = await signUp(service.address);
  void service.stop("SIGTERM");
  await eventually(async () => expect((await fetch(`${service.address}/readyz`)).status).toBe(503));
  const body = JSON.stringify({ title: "Late" });
  const headers = { "content-type": "application/json", cookie };
  expect((await fetch(`${service.address}/api/posts`, { method: "POST", headers, body })).status).toBe(200);
  expect((await fetch(`${service.address}/healthz`)).status).toBe(200);
});

test.each(engines)(
  "clients under load get a response to every request that the stopping service on %s accepts",
  async (engine) => {
    await using directory = await temporaryDirectory();
    await using database = engine === "postgres" ? await createDatabase() : null;
    const env: Record<string, string> = database ? { DATABASE_URL: database.url } : {};
    await using service = await startProcess(directory.path, env);
    const cookie = await signUp(service.address);
    const agent = new Agent({ keepAlive: true });
    const acknowledged: number[] = [];
    const write = async (id: number) => {
      const { status, text } = await send(`${service.address}/api/posts`, {
        agent,
        cookie,
        title: `Number ${id}`,
      });
      if (status === 200) acknowledged.push((JSON.parse(text) as { post: { id: number } }).post.id);
      return status;
    };
    let stopped = false;
    const outcomes: unknown[] = [];
    const clients = Array.from({ length: 20 }, async (_, client) => {
      for (let i = 0; !stopped; i++)
        outcomes.push(
          await write(client * 1000 + i).catch((error: NodeJS.ErrnoException) => {
            stopped = error.code === "ECONNREFUSED";
            return stopped ? 200 : error;
          }),
        );
    });
    await eventually(() => expect(acknowledged.length).toBeGreaterThan(100));
    expect(await service.stop("SIGTERM")).toBe(0);
    await Promise.all(clients);
    agent.destroy();
    expect(outcomes.filter((outcome) => outcome !== 200)).toEqual([]);
    await using again = await startTandem(engine, { env, dataDir: directory.path });
    const stored = await again.storage.read.selectFrom("posts").select("id").execute();
    expect(stored.map(({ id }) => id).sort()).toEqual(acknowledged.sort());
  },
);

test("a request that has arrived is completed although its client left", async () => {
  await using directory = await temporaryDirectory();
  await using service = await startProcess(directory.path);
  const cookie = await signUp(service.address);
  const picture = await drawPicture({ type: "png", width: 6000, height: 4000 });
  const form = new FormData();
  form.set("title", "Sent in full");
  form.set("image", new Blob([new Uint8Array(picture)]), "picture.png");
  const leaving = new AbortController();
  const { signal } = leaving;
  const sent = fetch(`${service.address}/api/posts`, {
    method: "POST",
    headers: { cookie },
    body: form,
    signal,
  });
  sent.catch(() => {});
  await eventually(async () =>
    expect(await sizes(join(directory.path, "incoming"))).toContain(picture.length),
  );
  leaving.abort();
  expect(await service.stop("SIGTERM")).toBe(0);
  await using again = await startTandem("sqlite", { dataDir: directory.path });
  expect((await again.as.anonymous().listPosts()).posts).toMatchObject([{ title: "Sent in full" }]);
});

test("a service with too many open files logs it, and recovers", async () => {
  await using directory = await temporaryDirectory();
  await using service = await startProcess(directory.path, { LOG_LEVEL: "error" }, [
    "sh",
    "-c",
    'ulimit -n 64 && exec "$0" "$@"',
  ]);
  const sockets: Socket[] = [];
  const connectTo = Number(new URL(service.address).port);
  const open = (count: number) => {
    for (let i = 0; i < count; i += 1) sockets.push(connect(connectTo, "127.0.0.1").on("error", () => {}));
  };
  open(80);
  await eventually(() => {
    // In place of those that were closed.
    open(1);
    expect(service.lines.join()).toContain("too many files");
  });
  for (const socket of sockets) socket.destroy();
  await eventually(async () => expect((await fetch(`${service.address}/readyz`)).status).toBe(200));
  expect(service.lines.filter((line) => line.includes("too many files"))).toHaveLength(1);
  expect(await service.stop("SIGTERM")).toBe(0);
});

test("a stop on a full disk ends as any other, and the next start has every acknowledged write", async () => {
  await using directory = await temporaryDirectory();
  await using service = await startProcess(directory.path, { LOG_LEVEL: "info" });
  const cookie = await signUp(service.address);
  const posted = await fetch(`${service.address}/api/posts`, {
    method: "POST",
    headers: { cookie, "content-type": "application/json" },
    body: '{"title":"Before it was full"}',
  });
  expect(posted.status).toBe(200);
  // As on a full disk, files can't grow, and nothing can be written beyond their first block.
  await promisify(execFile)("prlimit", ["--pid", String(service.pid), "--fsize=4096"]);
  expect(await service.stop("SIGTERM")).toBe(0);
  expect(service.lines.join()).toContain("the service has stopped");
  await using again = await startTandem("sqlite", { dataDir: directory.path });
  const { posts } = await again.as.anonymous().listPosts();
  expect(posts).toEqual([expect.objectContaining({ title: "Before it was full" })]);
});

async function signUp(address: string): Promise<string> {
  const body = JSON.stringify({ username: "ada", email: "ada@example.org", password: "correct horse" });
  const headers = { "content-type": "application/json" };
  return cookieOf(await fetch(`${address}/api/auth/signup`, { method: "POST", headers, body }));
}

/** Sends a request without its body, and resolves once the service has accepted it. */
async function beginPost(address: string, cookie: string, body: string) {
  const { hostname, port, host } = new URL(address);
  const socket = connect(Number(port), hostname);
  const head = [
    "POST /api/posts HTTP/1.1",
    `Host: ${host}`,
    `Cookie: ${cookie}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "Expect: 100-continue",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  const [first] = await once(socket, "data");
  expect(String(first)).toBe("HTTP/1.1 100 Continue\r\n\r\n");
  return {
    async finish(): Promise<string> {
      const chunks: Buffer[] = [];
      socket.on("data", (chunk: Buffer) => chunks.push(chunk));
      socket.write(body);
      await once(socket, "close");
      return Buffer.concat(chunks).toString();
    },
  };
}

/** Resolves once the address refuses connections. */
async function refuses(address: string): Promise<void> {
  while (
    await fetch(`${address}/healthz`).then(
      () => true,
      () => false,
    )
  );
}

/** A connection on which these bytes were sent. */
async function open(address: string, bytes: string): Promise<Socket> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(bytes);
  return socket;
}

interface Sent {
  agent: Agent;
  cookie: string;
  title: string;
}

/** Creates a post. Unlike `fetch`, it never repeats a request. */
function send(address: string, { agent, cookie, title }: Sent): Promise<{ status: number; text: string }> {
  const headers = { "content-type": "application/json", cookie };
  return new Promise((resolve, reject) => {
    const sending = request(address, { method: "POST", agent, headers }, (response) => {
      text(response).then((all) => resolve({ status: response.statusCode ?? 0, text: all }), reject);
    });
    sending.on("error", reject);
    sending.end(JSON.stringify({ title }));
  });
}

/** The sizes of all files in a folder and its folders. */
async function sizes(folder: string): Promise<number[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size));
}

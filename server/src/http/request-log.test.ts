import { connect } from "node:net";
import { Callers } from "@tandem/testing/callers";
import { formBytes, formType } from "@tandem/testing/forms";
import { MailServer } from "@tandem/testing/mail-server";
import { connectedApp } from "@tandem/testing/oauth";
import { openStorage, temporaryDirectory } from "@tandem/testing/storage";
import { blockWrites } from "@tandem/testing/write-lock";
import { expect, test, vi } from "vitest";
import { createApp, listen } from "../app.ts";
import { readConfig } from "../config.ts";

test("each request's log line has the operation, the caller, the outcome and, for security events, the address", async () => {
  await using mailServer = await MailServer.start();
  await using storage = await openStorage();
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => lines.push(JSON.parse(line)) };
  const app = createApp({
    config: readConfig({ PORT: "0", DATA_DIR: "/nowhere", ...mailServer.env }),
    storage,
    logger: { level: "info", stream },
  });
  const baseUrl = await listen(app);
  const as = new Callers(baseUrl);
  const lastOf = async (path: string, init?: RequestInit) => {
    const { headers } = await fetch(baseUrl + path, init);
    const id = headers.get("x-request-id");
    await expect
      .poll(() => lines.filter(({ request, route }) => request === id && route !== undefined))
      .toHaveLength(1);
    const {
      level: _,
      time: _t,
      pid: _p,
      hostname: _h,
      msg: _m,
      duration_ms,
      ...line
    } = lines.find(({ request, route }) => request === id && route !== undefined) ?? {};
    expect(duration_ms).toBeGreaterThan(0);
    return line;
  };

  const ada = await as.human();
  const { key, secret } = await ada.mintKey({ name: "Logged", scopes: "posts:write" });
  const own = { "x-request-id": "proxy-1:a.b" };
  const json = { "content-type": "application/json" };
  expect(
    await lastOf("/api/posts?dryRun=1", {
      method: "POST",
      headers: { ...own, ...json, authorization: `Bearer ${secret}` },
      body: JSON.stringify({ title: "not in the log" }),
    }),
  ).toEqual({
    request: "proxy-1:a.b",
    operation: "createPost",
    method: "POST",
    route: "/api/posts",
    status: 200,
    account: ada.user.id,
    key: key.id,
    dry_run: true,
  });
  expect(
    await lastOf("/api/auth/login", {
      method: "POST",
      headers: json,
      body: JSON.stringify({ username: ada.user.username, password: "not this" }),
    }),
  ).toMatchObject({
    operation: "logIn",
    status: 401,
    code: "unauthorized",
    security: true,
    address: "127.0.0.1",
    target: `user:${ada.user.id}`,
  });
  const post = (path: string, body: object, headers = {}) =>
    lastOf(path, { method: "POST", headers: { ...json, ...headers }, body: JSON.stringify(body) });
  const { username, email, id } = ada.user;
  const { cookie = "" } = ada.options.headers ?? {};
  const target = `user:${id}`;
  for (const [login, about] of [
    [
      { username, password: ada.password },
      { status: 200, target },
    ],
    [
      { email: "nobody@example.org", password: "not this" },
      { status: 401, target: undefined },
    ],
  ] as const) {
    const line = await post("/api/auth/login", login);
    expect({ ...line, target: line.target }).toMatchObject(about);
  }
  expect(await post("/api/auth/password/forgot", { email })).toMatchObject({ status: 200, target });
  expect(await post("/api/keys", { name: "Second", scopes: "posts:write" }, { cookie })).toMatchObject({
    account: id,
    target: `key:${key.id + 1}`,
  });
  expect(await post(`/api/admin/users/${id}/suspend`, {}, { cookie })).toMatchObject({ status: 403, target });
  const line = await post("/api/admin/users/not%20this/suspend", {}, { cookie });
  expect([line.account, line.target]).toEqual([id, undefined]);
  // Found without the framework, and then known.
  const { headers } = await fetch(`${baseUrl}/api/posts`);
  for (const status of [200, 200, 304]) {
    const line = await lastOf("/api/posts", {
      headers: {
        "x-request-id": `known-${lines.length}`,
        authorization: `Bearer ${secret}`,
        "if-none-match": status === 304 ? String(headers.get("etag")) : "",
      },
    });
    expect(line).toEqual({
      request: expect.stringMatching(/^known-\d+$/),
      operation: "listPosts",
      method: "GET",
      route: "/api/posts",
      status,
      account: id,
      key: key.id,
    });
  }
  expect(await lastOf("/posts/1")).toMatchObject({
    operation: "none",
    method: "GET",
    route: "/posts/:id",
    status: 404,
  });
  expect(await lastOf("/media/none")).toMatchObject({ status: 404, code: "not_found" });
  const { keyId } = await connectedApp({ baseUrl }, ada);
  for (const grant of [
    { operation: "approveAuthorizationRequest", account: id },
    { operation: "issueToken", target: `key:${keyId}` },
  ])
    expect(lines).toContainEqual(
      expect.objectContaining({ ...grant, status: 200, security: true, address: "127.0.0.1" }),
    );
  const { token } = await mailServer.mailTo(email, /Reset/);
  for (const [given, outcome] of [
    ["not a token", { status: 400, code: "invalid_token" }],
    [token, { status: 200, target }],
  ] as const)
    expect(await post("/api/auth/password/reset", { token: given, password: "not this one" })).toMatchObject({
      operation: "resetPassword",
      security: true,
      address: "127.0.0.1",
      ...outcome,
    });
  // Ids are unique, and strange ones aren't taken over.
  const ids = await Promise.all(
    ["", "a b", "x".repeat(129)].map(async (given) => {
      const { headers } = await fetch(`${baseUrl}/healthz`, { headers: { "x-request-id": given } });
      return headers.get("x-request-id");
    }),
  );
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect(id).toMatch(/^[\da-f-]{36}$/);
  expect(JSON.stringify(lines)).not.toMatch(/not in the log|not this/);
  await app.server.close();
});

test("a request whose client leaves, or sends too slowly, has a line", async () => {
  await using directory = await temporaryDirectory();
  await using storage = await openStorage();
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => lines.push(JSON.parse(line)) };
  const app = createApp({
    config: readConfig({ PORT: "0", DATA_DIR: directory.path, UPLOAD_TIMEOUT: "1" }),
    storage,
    logger: { level: "info", stream },
  });
  const baseUrl = await listen(app);
  const ada = await new Callers(baseUrl).human();
  const { cookie = "" } = ada.options.headers ?? {};
  const begin = (id: string, type: string, length: number, body: string | Buffer) => {
    const socket = connect(Number(new URL(baseUrl).port));
    const headers = [`Cookie: ${cookie}`, `Content-Type: ${type}`, `Content-Length: ${length}`];
    const head = ["POST /api/posts HTTP/1.1", "Host: localhost", `X-Request-Id: ${id}`, ...headers];
    socket.write(`${head.join("\r\n")}\r\n\r\n`);
    socket.write(body);
    return socket;
  };
  const lineOf = async (id: string) => {
    const found = () => lines.filter(({ request, route }) => request === id && route !== undefined);
    await expect.poll(found).toHaveLength(1);
    return found()[0];
  };
  const line = { level: 30, operation: "createPost", account: ada.user.id, route: "/api/posts" };
  const left = { ...line, status: null, code: "connection_closed" };
  const upload = formBytes([{ name: "title", content: "Slow" }], { open: true });

  const started = vi.spyOn(storage, "write");
  await using lock = await blockWrites(storage);
  started.mockClear();
  const json = JSON.stringify({ title: "Left waiting" });
  const waiting = begin("handled", "application/json", json.length, json);
  await vi.waitFor(() => expect(started).toHaveBeenCalled());
  waiting.destroy();
  expect(await lineOf("handled")).toMatchObject(left);
  await lock.release();

  begin("stalled", formType["content-type"], 1000, upload);
  expect(await lineOf("stalled")).toMatchObject({
    ...line,
    status: null,
    code: "too_slow",
    msg: "createPost was cut off, because its body wasn't received in time",
  });

  begin("half", formType["content-type"], 1000, upload).destroySoon();
  expect(await lineOf("half")).toMatchObject(left);
  await app.server.close();
});

import type { TandemError } from "@tandem/client";
import { TOOLS_PATH } from "@tandem/contract/documents";
import { limits } from "@tandem/contract/limits";
import { type OperationName, operationList } from "@tandem/contract/operations";
import type { Caller } from "@tandem/testing/callers";
import { dump } from "@tandem/testing/dump";
import { type RawRequest, sendBytes, sendRequest } from "@tandem/testing/raw-http";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const json = { "content-type": "application/json" };
const invalidUtf8 = ["ff", "c328", "eda080", "f0288cbc", "c080"].map((hex) =>
  Buffer.concat([Buffer.from('{"title":"'), Buffer.from(hex, "hex"), Buffer.from('"}')]),
);

describe("a bad request", () => {
  let tandem: Tandem;
  let caller: Caller;
  beforeAll(async () => {
    tandem = await startTandem();
    caller = await tandem.as.agent();
  });
  afterAll(() => tandem.stop());

  const send = (request: RawRequest) => sendRequest(tandem.baseUrl, request);
  const post = async (body: string | Buffer | undefined, headers: Record<string, string> = json) => {
    const authorization = `Bearer ${caller.options.key}`;
    const request = { method: "POST", path: "/api/posts", headers: { ...headers, authorization } };
    const response = await send(body === undefined ? request : { ...request, body });
    return [response.status, response.body.code, response.body.field];
  };

  test("lists every invalid field, the first one also as `field`", async () => {
    const errorsOf = async (call: Promise<unknown>) =>
      (await call.then(String, (error: TandemError) => error)) as TandemError;
    const request = { titel: "x", url: 7, body: 7, title: " " };
    const wrong = await errorsOf(caller.createPost(request as never));
    expect([wrong.status, wrong.code, wrong.field]).toEqual([400, "invalid_input", "titel"]);
    expect(wrong.errors.map(({ field }) => field)).toEqual(["titel", "title", "body", "url"]);
    expect(wrong.errors[0]).toEqual({ field: "titel", code: "invalid_input", error: wrong.message });
    expect(wrong.errors.every(({ error, field }) => error.includes(field))).toBe(true);
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`no${i}`, 1]));
    const { errors } = await errorsOf(caller.createPost({ title: "x", ...many } as never));
    expect(errors.length).toBe(limits.fieldErrors);
    const refused = await errorsOf(tandem.as.anonymous().listPosts({ saved: 1, limit: "x" } as never));
    expect([refused.status, refused.errors]).toEqual([401, []]);
  });

  test("returns 400 invalid_json for a body that isn't JSON", async () => {
    const before = await dump(tandem.storage);
    const malformed = [
      "{",
      '{"title":}',
      "title=x",
      '{"title":"x"',
      '{"title":"x"}x',
      "'x'",

      " ",
    ];
    for (const body of [...malformed, '{"title":"\u0000"}', '{"title":"\n"}', "NaN", ...invalidUtf8]) {
      expect([body, ...(await post(body))]).toEqual([body, 400, "invalid_json", undefined]);
    }
    expect(await dump(tandem.storage)).toEqual(before);
  });

  test("returns 400 for JSON that isn't an object, which no field is to blame for", async () => {
    const authorization = `Bearer ${caller.options.key}`;
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    for (const [method, path, fields] of [
      ["POST", "/api/posts", "Required: title."],
      ["PATCH", "/api/users/profile", "Optional: displayName, bio"],
    ] as const)
      for (const body of ["null", "[]", '[{"title":"x"}]', "1", '"title"', "true"]) {
        const response = await send({ method, path, headers: { ...json, authorization }, body });
        const { error, code, field, hint } = response.body;
        expect([error, code, field]).toEqual(["The body must be a JSON object.", "invalid_input", undefined]);
        expect(hint).toContain(`Send a JSON object in UTF-8. ${fields}`);
      }
    expect(await post(deep)).toEqual([400, "invalid_input", undefined]);
    expect(await post("{}")).toEqual([400, "invalid_input", "title"]);
  });

  test("returns 400 for JSON with too many levels or fields, before it is parsed", async () => {
    const { jsonDepth, jsonFields } = limits;
    // `id` is ignored, since a post shows it.
    const nested = (levels: number) => `{"title":"x","id":${"[".repeat(levels)}"]{:"${"]".repeat(levels)}}`;
    const wide = (fields: number) =>
      `{"title":"x","id":{${Array.from({ length: fields - 2 }, (_, i) => `"\\"${i}":[]`).join(",")}}}`;
    for (const body of [nested(jsonDepth - 1), wide(jsonFields)])
      expect(await post(body)).toEqual([200, undefined, undefined]);
    const authorization = `Bearer ${caller.options.key}`;
    const headers = { ...json, authorization, accept: "application/json, text/event-stream" };
    for (const path of ["/api/posts", "/api/auth/login", TOOLS_PATH])
      for (const body of [nested(jsonDepth), nested(500_000), wide(jsonFields + 1), wide(50_000)]) {
        const response = await send({ method: "POST", path, headers, body });
        expect([path, response.status, response.body.code]).toEqual([path, 400, "invalid_input"]);
        expect(response.body.error).toMatch(
          /^JSON can (nest at most 64 levels deep|have at most 1000 fields)/,
        );
        if (path === TOOLS_PATH) continue;
        expect([path, response.body.field]).toEqual([path, undefined]);
        expect(response.body.hint).toMatch(/^This is about the JSON as a whole/);
      }
    // Where many fields are doesn't matter; what nests too deep is named.
    const poll = `{"title":"x","poll":{"options":${"[".repeat(jsonDepth)}${"]".repeat(jsonDepth)}}}`;
    expect(await post(poll)).toEqual([400, "invalid_input", "poll"]);
    const inPoll = `{"title":"x","poll":{${Array.from({ length: jsonFields }, (_, i) => `"${i}":0`).join(",")}}}`;
    expect(await post(inPoll)).toEqual([400, "invalid_input", undefined]);
  });

  test("accepts an empty object if all fields are optional", async () => {
    const headers = { ...json, authorization: `Bearer ${caller.options.key}` };
    const { status } = await send({ method: "PATCH", path: "/api/users/profile", headers, body: "{}" });
    expect(status).toBe(200);
  });

  test("returns 400 for a missing or empty body, and names the first field", async () => {
    for (const body of [undefined, ""]) expect(await post(body)).toEqual([400, "invalid_input", "title"]);
    expect(await post(undefined, {})).toEqual([400, "invalid_input", "title"]);
  });

  test("refuses fields with the names of an object's own properties", async () => {
    for (const name of ["__proto__", "constructor", "toString"])
      expect(await post(`{"title":"x","${name}":{"title":"Inherited"}}`)).toEqual([
        400,
        "invalid_input",
        name,
      ]);
  });

  test("returns 415 for any other content type", async () => {
    const types = [
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/jsonp",
      "json",
      "",
      ";;",
      "ü",
    ];
    for (const type of types) {
      const response = await post('{"title":"x"}', { "content-type": type });
      expect([type, ...response]).toEqual([type, 415, "unsupported_media_type", undefined]);
    }
    expect(await post('{"title":"x"}', {})).toEqual([415, "unsupported_media_type", undefined]);
  });

  test("accepts JSON content types with parameters and in any case", async () => {
    for (const type of [
      "application/json; charset=utf-8",
      "Application/JSON",
      "application/merge-patch+json",
    ])
      expect((await post('{"title":"x"}', { "content-type": type }))[0]).toBe(200);
  });

  test("returns 413 for a body over the limit, with or without Content-Length", async () => {
    const body = `{"title":"x","id":"${"x".repeat(2 ** 20)}"}`;
    expect(await post(body)).toEqual([413, "payload_too_large", undefined]);
    const chunked = { ...json, "transfer-encoding": "chunked" };
    expect(await post(body, chunked)).toEqual([413, "payload_too_large", undefined]);
    const fits = `{"title":"x","id":"${"x".repeat(2 ** 20 - 24)}"}`;
    expect(Buffer.byteLength(fits)).toBeLessThanOrEqual(2 ** 20);
    expect((await post(fits))[0]).toBe(200);
  });

  test("returns 404 for an unknown path, with any method", async () => {
    const paths = [
      "/nothing.md",
      "/posts",
      "/api",
      "/api/nothing",
      "/api/posts/1/nothing",
      "//api/posts",
      "/API/posts",
      "/api/posts/",
      "/out/",
    ];
    for (const path of paths)
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
        const { status, body } = await send({ method, path, headers: json, body: "{" });
        expect([method, path, status, body.code]).toEqual([method, path, 404, "not_found"]);
      }
  });

  test("names the nearest path in a 404 of the API, in JSON for browsers, too", async () => {
    const errorAt = async (path: string) =>
      (await send({ path, headers: { accept: "text/html" } })).body.error;
    const nothing = "There is nothing at this path";
    expect(await errorAt("/api/post")).toBe(`${nothing}; did you mean GET or POST /api/posts?`);
    for (const path of ["/api", "/api/qwertyuiop", `/api/${"x".repeat(10_000)}`])
      expect(await errorAt(path)).toBe(`${nothing}.`);
  });

  test.each([
    ["GET", "/api/v1/posts/7/comment", "GET or POST /api/posts/{id}/comments"],
    ["GET", "/api/me", "GET /api/auth/me"],
    ["GET", "/api/posts/?x=1", "GET or POST /api/posts"],
    ["GET", "/post/5", "GET or DELETE or PATCH /api/posts/{id}"],
    ["PUT", "/api/post/5", "PATCH or DELETE or GET /api/posts/{id}"],
    ["GET", "/api/posts/1/comments/1", "GET or DELETE or PATCH /api/comments/{id}"],
    ["GET", "/api/posts/7/nothing", "GET or DELETE or PATCH /api/posts/{id}"],
    ["GET", "/api/notifications/read", "GET or PATCH /api/notifications"],
    ["GET", "/api/creator/native/ada", "GET /api/creators/{platform}/{author}"],
    ["POST", "/api/likes", "POST or DELETE /api/posts/{id}/like"],
    ["POST", "/api/comments/like/5", "POST or DELETE /api/comments/{id}/like"],
    ["POST", "/api/comment", "POST or GET /api/posts/{id}/comments"],
    ["POST", "/api/posts/5/reply", "POST /api/posts/{id}/comments"],
    ["GET", "/api/search", "GET /api/posts with `q`"],
    ["GET", "/api/search/posts", "GET /api/posts with `q`"],
    ["GET", "/api/feed", "GET /api/posts"],
    ["GET", "/feed", "GET /api/posts"],
    ["GET", "/openapi.json", "GET /api/openapi.json"],
    ["GET", "/.well-known/openapi.yaml", "GET /api/openapi.json"],
    ["GET", "/api/llms.txt", "GET /llms.txt"],
    ["POST", "/api/mcp", "POST /mcp"],
    ["GET", "/api/trending", "GET /api/tags"],
    ["GET", "/api/account", "GET /api/auth/me"],
    ["GET", "/api/users", "GET /api/creators/search"],
    ["POST", "/api/users", undefined],
    ["GET", "/api/users/search", "GET /api/creators/search"],
    ["GET", "/api/search/users", "GET /api/creators/search"],
    ["GET", "/api/creators/ada", "GET /api/creators/{platform}/{author}"],
    ["GET", "/api/users/ada", "GET /api/creators/{platform}/{author}"],
    ["GET", "/api/users/native/ada", "GET /api/creators/{platform}/{author}"],
    ["GET", "/api/users/ada/posts", "GET or POST /api/posts"],
    ["POST", "/api/register", "POST /api/auth/signup"],
    ["POST", "/api/signup", "POST /api/auth/signup"],
    ["GET", "/api/timeline", "GET or POST /api/posts"],
    ["GET", "/timelines/home", "GET or POST /api/posts"],
    ["POST", "/api/unfollow", "DELETE or POST or GET /api/follows"],
    ["POST", "/api/unmute", "DELETE or GET or POST /api/mutes"],
    ["POST", "/api/unblock", "DELETE or POST or GET /api/blocks"],
    ["POST", "/api/posts/5/unlike", "DELETE or POST /api/posts/{id}/like"],
    ["POST", "/api/posts/5/undismiss", undefined],
    ["DELETE", "/api/webhooks/1", "DELETE /api/webhooks with `id`"],
    ["PUT", "/api/webhooks/1", "PATCH /api/webhooks with `id`"],
    ["GET", "/api/stats", undefined],
    ["GET", "/api/tos", undefined],
    ["GET", "/api/constructor", undefined],
    ["POST", "/api/oauth/tokens", "POST /oauth/token"],
    ["POST", "/api/tokens", undefined],
    ["GET", "/favicon.png", undefined],
  ])("%s %s suggests %s", async (method, path, meant) => {
    const { status, body } = await send({ method, path });
    const suggested = /did you mean (.*)\?$/.exec(String(body.error))?.[1];
    expect([status, suggested]).toEqual([404, meant]);
  });

  test("returns 405 for a known path with another method, and lists the allowed ones", async () => {
    for (const path of new Set(operationList.map((op) => op.path))) {
      const methods = operationList.filter((op) => op.path === path).map((op): string => op.method);
      const allowed = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
      for (const method of [
        "GET",
        "POST",
        "PUT",
        "PATCH",
        "DELETE",
        "OPTIONS",
        "TRACE",
        "PROPFIND",
        "QUERY",
      ]) {
        if (allowed.includes(method)) continue;
        const response = await send({ method, path: path.replace("{id}", "1") });
        const { status, headers, body } = response;
        expect([method, path, status, body.code]).toEqual([method, path, 405, "method_not_allowed"]);
        expect(headers.get("allow")?.split(", ").sort()).toEqual(allowed.sort());
      }
      if (allowed.includes("HEAD")) continue;
      const head = await send({ method: "HEAD", path: path.replace("{id}", "1") });
      expect([path, head.status, head.text]).toEqual([path, 405, ""]);
    }
  });

  test("says what would be valid", async () => {
    const errorOf = async (name: OperationName, input: object) =>
      (await tandem.as.anonymous().call(name, input)).body.error;
    expect(await errorOf("listPosts", { sort: "best" })).toBe("sort must be one of new, hot.");
    expect(await errorOf("listPosts", { saved: "true" })).toBe("saved must be 0 or 1.");
    expect(await errorOf("listPosts", { limit: 51 })).toBe("limit must be at most 50.");
    expect(await errorOf("listPosts", { provenance: "human,robots" })).toBe(
      "provenance can't contain `robots`.",
    );
    const { body } = await tandem.as.anonymous().call("listPosts", { limit: 51, provenance: "robots,ai" });
    expect(body.errors).toMatchObject([
      { field: "limit" },
      { error: "provenance can't contain `robots`. Allowed: human, ai_generated, ai_assisted." },
    ]);
    expect(await errorOf("listPosts", { fields: "id,titel,nothing" })).toBe(
      "fields can't contain `titel`; did you mean `title`?",
    );
    expect(await errorOf("listPosts", { fields: "id,,title" })).toBe(
      "fields must be a comma-separated list of allowed values.",
    );
    const sign = { username: "ada", email: "ada@example.org", password: "short" };
    expect(await errorOf("signUp", sign)).toBe("password must have at least 8 characters.");
    expect(await errorOf("signUp", { ...sign, username: "a b" })).toBe(
      "username can contain only letters A-Z, digits, _ . and -.",
    );
    const person = await tandem.as.human();
    const types = ["comment", "coment"];
    expect((await person.call("listNotifications", { type: types.join() })).body.error).toBe(
      "type can't contain `coment`; did you mean `comment`?",
    );
    const url = "https://example.org/hook";
    expect((await person.call("createWebhook", { url, types })).body.error).toMatch(
      /^types\[1\] must be one of friend_request, .*; did you mean `comment`\?$/,
    );
    const product = { title: "A", url: "https://example.org" };
    expect((await person.call("createPost", { title: "  " })).body.error).toBe(
      "title must be a single line, and not blank.",
    );
    expect((await person.call("createProduct", { ...product, price: true })).body.error).toBe(
      "price must be a string or a number or null.",
    );
  });

  test("returns 405 for other methods than GET on the service's own pages", async () => {
    for (const path of ["/healthz", "/readyz", "/metrics", "/api/openapi.json"]) {
      expect((await send({ path })).status).toBe(200);
      const { status, headers, body } = await send({ method: "POST", path });
      expect([path, status, body.code]).toEqual([path, 405, "method_not_allowed"]);
      expect(headers.get("allow")).toBe("GET, HEAD");
    }
  });

  test("returns 400 for a path that can't be decoded", async () => {
    for (const path of ["/api/posts/%zz", "/api/posts/%", "/%ff", "/api/posts/%ed%a0%80", "/api/%c3%28"]) {
      const { status, body } = await send({ path });
      expect([path, status, body.code, typeof body.field]).toEqual([path, 400, "invalid_input", "string"]);
    }
  });

  test("returns 400 for a very long id", async () => {
    const { status, body } = await send({ path: `/api/posts/${"1".repeat(15_000)}` });
    expect([status, body.code, body.field]).toEqual([400, "invalid_input", "id"]);
  });

  test("parses the whole query, including question marks and empty parts", async () => {
    const list = async (query: string) => {
      const { status, body } = await send({ path: `/api/posts?${query}` });
      return [status, body.field];
    };
    expect(await list("q=what?&limit=51")).toEqual([400, "limit"]);
    expect(await list("limit=51&q=what?")).toEqual([400, "limit"]);
    expect(await list("q=a?b")).toEqual([200, undefined]);
    expect(await list("q=a=b&&limit=1&")).toEqual([200, undefined]);
    expect(await list("q")).toEqual([200, undefined]);
    expect(await list("q=a+b%20c")).toEqual([200, undefined]);
    expect(await list("%zz=1")).toEqual([400, "query"]);
    expect(await list("__proto__=1&_=2")).toEqual([200, undefined]);
    expect(await list("constructor=2")).toEqual([400, "constructor"]);
  });

  test("returns an error in the same shape for malformed HTTP, and closes the connection", async () => {
    const garbage = [
      "hello\r\n\r\n",
      "GET /api/posts HTTP/9.9\r\n\r\n",
      "GET /api/ posts HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET /api/posts HTTP/1.1\r\nHost: x\r\nBroken header\r\n\r\n",
      "POST /api/posts HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n",
      "POST /api/posts HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\nx",
      Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]),
    ];
    for (const bytes of garbage) {
      const [head = "", body = ""] = (await sendBytes(tandem.baseUrl, bytes)).split("\r\n\r\n");
      expect(head).toMatch(
        /^HTTP\/1\.1 400 Bad Request\r\ncontent-type: application\/json; charset=utf-8\r\n/,
      );
      const { error, code, hint, docs, ...rest } = JSON.parse(body);
      expect([code, docs, rest]).toEqual(["invalid_input", `${tandem.baseUrl}/errors/invalid_input`, {}]);
      expect([error, hint]).toEqual([expect.any(String), expect.any(String)]);
    }
    const headers = `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`;
    expect(await sendBytes(tandem.baseUrl, headers)).toMatch(/^HTTP\/1\.1 431 .*"code":"invalid_input",/s);
    expect((await send({ path: "/healthz" })).status).toBe(200);
  });
});

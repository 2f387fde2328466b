import { approve, begin, redeem, registerApp } from "@tandem/testing/oauth";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const everything = "read posts:write comments:write engagement:write profile:write products:write";

/** What an app learns from `WWW-Authenticate`: what is wrong, what it needs, and where to get it. */
describe("a challenge", () => {
  let tandem: Tandem;
  let url: string;
  let app: string;
  let key: string;
  beforeAll(async () => {
    tandem = await startTandem();
    url = tandem.baseUrl;
    const ada = await tandem.as.human();
    const begun = await begin(url, await registerApp(url), { scope: "posts:write" });
    const { code } = await approve(tandem, ada, begun);
    app = String((await redeem(url, begun, code)).body.access_token);
    key = String((await tandem.as.key(["posts:write"], ada)).options.key);
  });
  afterAll(() => tandem.stop());

  const parts = (header: string | null) =>
    Object.fromEntries(
      [...(header ?? "").matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );
  const call = (name: string, args: object) =>
    JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });
  const found = (operation: string, input: object) => call("tandem_call_operation", { operation, input });
  const withProduct = { title: "Tea", productIds: [1] };

  test.each([
    ["no credential at the API", "POST", "/api/posts", null, null, [401, undefined, "read posts:write", ""]],
    ["no credential for a read", "GET", "/api/auth/me", null, null, [401, undefined, "read", ""]],
    ["an unknown token", "GET", "/api/posts", "tandem_live_x", null, [401, "invalid_token", "read", ""]],
    [
      "an app without the scope",
      "POST",
      "/api/posts/1/like",
      () => app,
      null,
      [403, "insufficient_scope", "read posts:write engagement:write", ""],
    ],
    [
      "a key without the scope",
      "POST",
      "/api/posts/1/like",
      () => key,
      null,
      [403, "insufficient_scope", "read posts:write engagement:write", ""],
    ],
    [
      "an unknown token at MCP",
      "POST",
      "/mcp",
      "tandem_live_x",
      "{}",
      [401, "invalid_token", everything, "/mcp"],
    ],
    [
      "no credential at the log-in address",
      "POST",
      "/mcp?login",
      null,
      "{}",
      [401, undefined, everything, "/mcp?login"],
    ],
    [
      "an unknown token at A2A",
      "POST",
      "/a2a",
      "tandem_live_x",
      "{}",
      [401, "invalid_token", everything, "/a2a"],
    ],
    [
      "an app's tool without the scope",
      "POST",
      "/mcp",
      () => app,
      call("tandem_like_post", { id: 1 }),
      [403, "insufficient_scope", "read posts:write engagement:write", "/mcp"],
    ],
    [
      "an app's found operation",
      "POST",
      "/mcp",
      () => app,
      found("createProduct", {}),
      [403, "insufficient_scope", "read posts:write products:write", "/mcp"],
    ],
    ...[call("tandem_create_post", withProduct), found("createDraft", withProduct)].map(
      (body) =>
        [
          "an app's field that needs another scope",
          "POST",
          "/mcp",
          () => app,
          body,
          [403, "insufficient_scope", "read posts:write products:write", "/mcp"],
        ] as const,
    ),
  ] as const)("for %s", async (_name, method, path, token, body, [status, error, scope, resource]) => {
    const credential = typeof token === "function" ? token() : token;
    const response = await fetch(url + path, {
      method,
      body,
      headers: {
        ...(credential && { authorization: `Bearer ${credential}` }),
        ...(body && { "content-type": "application/json", accept: "application/json, text/event-stream" }),
      },
    });
    const told = parts(response.headers.get("www-authenticate"));
    expect([response.status, told.error, told.scope]).toEqual([status, error, scope]);
    expect(told.resource_metadata).toBe(`${url}/.well-known/oauth-protected-resource${resource}`);
    expect(await (await fetch(String(told.resource_metadata))).json()).toMatchObject({
      resource: url + resource,
      authorization_servers: [url],
    });
  });

  test("a key's user gets the tool's error, because keys don't change", async () => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const response = await fetch(`${url}/mcp`, {
      method: "POST",
      body: call("tandem_like_post", { id: 1 }),
      headers: { ...headers, accept: "application/json, text/event-stream" },
    });
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringContaining("insufficient_scope"),
    ]);
  });

  test("isn't part of other refusals", async () => {
    const response = await fetch(`${url}/api/keys`, { headers: { authorization: `Bearer ${app}` } });
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([403, null]);
  });
});

import { limits } from "@tandem/contract/limits";
import { DEVICE_GRANT } from "@tandem/contract/oauth";
import { type AppSite, startAppSite } from "@tandem/testing/app-site";
import type { Person } from "@tandem/testing/callers";
import { authorize, begin, challengeOf, outcomeOf, REDIRECT, register } from "@tandem/testing/oauth";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/* What apps say about themselves, by registering or at the address that is their client id. */

let tandem: Tandem;
let ada: Person;
let baseUrl: string;
beforeAll(async () => {
  const env = {
    OUTGOING_ALLOW: "127.0.0.1/32",
    TRUST_PROXY: "1",
    LIMIT_THROTTLES_APP_DOCUMENTS_PER_ADDRESS_LIMIT: "2",
    LIMIT_THROTTLES_APP_REGISTRATIONS_PER_ADDRESS_LIMIT: "3",
    LIMIT_THROTTLES_APP_REQUESTS_PER_ADDRESS_LIMIT: "3",
  };
  tandem = await startTandem("sqlite", { env });
  baseUrl = tandem.baseUrl;
  ada = await tandem.as.human();
});
afterAll(() => tandem.stop());

describe("registering", () => {
  const many = Array.from({ length: 30 }, (_, i) => `https://app.example/${i}`);
  test.each([
    ["a script", ["javascript:alert(1)"], "invalid_redirect_uri"],
    ["a disguised script", ["JavaScript://app.example/%0aalert(1)"], "invalid_redirect_uri"],
    ["data", ["data:text/html,hi"], "invalid_redirect_uri"],
    ["a website without https", ["http://app.example/done"], "invalid_redirect_uri"],
    ["a name in the address", ["https://app.example@evil.example/"], "invalid_redirect_uri"],
    ["a fragment", ["https://app.example/#done"], "invalid_redirect_uri"],
    ["a browser's page", ["chrome://settings/"], "invalid_redirect_uri"],
    ["a browser's extension", ["chrome-extension://abc/done"], "invalid_redirect_uri"],
    ["a setting of Windows", ["ms-settings:/privacy"], "invalid_redirect_uri"],
    ["a search of Windows", ["search-ms:/query=x"], "invalid_redirect_uri"],
    ["an Android intent", ["intent://app.example/#Intent;end"], "invalid_redirect_uri"],
    ["a phone number", ["tel:/112"], "invalid_redirect_uri"],
    ["an archive", ["jar:/x.zip"], "invalid_redirect_uri"],
    ["a drive", ["c:/done"], "invalid_redirect_uri"],
    ["no redirect", [], "invalid_redirect_uri"],
    ["many redirects", many, "invalid_redirect_uri"],
  ])("with %s as redirect", async (_name, redirect_uris, expected) => {
    const { status, body } = await register(baseUrl, { redirect_uris });
    expect([status, body.error]).toEqual([400, expected]);
  });

  test("with an address of this service as redirect", async () => {
    const { status, body } = await register(baseUrl, { redirect_uris: [`${baseUrl}/@eve`] });
    expect([status, body.error]).toEqual([400, "invalid_redirect_uri"]);
  });

  // Cursor, VS Code, Windsurf and Claude have such redirects.
  test.each(["cursor://anysphere.cursor-mcp/oauth/done", "vscode://oauth/done", "com.example.app:/done"])(
    "with %s as redirect is possible",
    async (redirect) => {
      expect((await register(baseUrl, { redirect_uris: [redirect] })).status).toBe(201);
    },
  );

  test.each([
    "Tandem",
    " TANDEM\u00ae ",
    "T\u0430ndem",
    "\uff34\uff21\uff2e\uff24\uff25\uff2d",
    "Tan\u00addem",
  ])("as %j is refused", async (client_name) => {
    const { status, body } = await register(baseUrl, { client_name });
    expect([status, body.error]).toEqual([400, "invalid_client_metadata"]);
    expect((await register(baseUrl, { client_name: `${client_name} reader` })).status).toBe(201);
  });

  test.each(["http://app.example/keys", "https://ada@app.example/keys", "ftp://app.example/keys", 1])(
    "with keys at %s is refused",
    async (jwks_uri) => {
      const keyed = { token_endpoint_auth_method: "private_key_jwt", jwks_uri };
      const { status, body } = await register(baseUrl, keyed);
      expect([status, body.error]).toEqual([400, "invalid_client_metadata"]);
    },
  );

  test("says what is used of a description, and nothing of OpenID Connect", async () => {
    const { body } = await register(baseUrl, { scope: "openid", id_token_signed_response_alg: "none" });
    expect(Object.keys(body).sort()).toEqual([
      "application_type",
      "client_id",
      "client_id_issued_at",
      "client_name",
      "grant_types",
      "redirect_uris",
      "response_types",
      "token_endpoint_auth_method",
    ]);
  });

  test("doesn't let an app choose its id, get a secret, or hide characters in its name", async () => {
    const { body } = await register(baseUrl, {
      client_id: "https://claude.ai/app.json",
      client_secret: "chosen",
      token_endpoint_auth_method: "client_secret_basic",
      client_name: `Clau\u202ede \n ${"x".repeat(100)}`,
      unknown_to_us: 1,
    });
    expect(body).toMatchObject({ token_endpoint_auth_method: "none", application_type: "native" });
    expect(body.client_id).not.toContain("claude");
    expect(body).not.toHaveProperty("client_secret");
    const { request } = await begin(baseUrl, String(body.client_id));
    const { name } = (await ada.readAuthorizationRequest({ request })).request.app;
    expect(name).toBe(`Claude ${"x".repeat(limits.keyName - 7)}`);
  });

  test("is limited in size and number", async () => {
    const big = await register(baseUrl, { client_name: "x".repeat(10_000) });
    expect([big.status, big.body.error]).toEqual([413, "invalid_request"]);
    const from = async (endpoint: string) => {
      const response = await fetch(`${baseUrl}/oauth/${endpoint}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-forwarded-for": "203.0.113.7" },
        body: JSON.stringify({ redirect_uris: [REDIRECT] }),
      });
      return [response.status, (await response.json()).error];
    };
    for (const path of ["register", "register?x=1", "%72egister"]) expect((await from(path))[0]).toBe(201);
    for (const path of ["register", "register?x=1", "%72egister"])
      expect(await from(path)).toEqual([429, "temporarily_unavailable"]);
    for (let i = 0; i < 3; i++) expect((await from("token"))[0]).toBe(400);
    expect(await from("token")).toEqual([429, "temporarily_unavailable"]);
  });
});

describe("an app that is described at its address", () => {
  let site: AppSite;
  const described = (id: string, more: object = {}) =>
    JSON.stringify({
      client_id: id,
      client_name: "Described",
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: "none",
      ...more,
    });
  const documents: Record<string, (id: string) => string> = {
    "/good": (id) =>
      described(id, { scope: "openid email", grant_types: ["authorization_code", "implicit"] }),
    "/other": () => described("https://app.example/other"),
    "/secret": (id) => described(id, { client_secret: "known" }),
    "/secretive": (id) => described(id, { token_endpoint_auth_method: "client_secret_post" }),
    "/script": (id) => described(id, { redirect_uris: ["javascript:alert(1)"] }),
    "/huge": (id) => described(id, { client_name: "x".repeat(20_000) }),
    "/text": () => "hello",
    "/ours": (id) => described(id, { client_name: "T\u0430ndem" }),
    "/keys-in-clear": (id) => described(id, { jwks_uri: "http://app.example/keys" }),
    "/keyed": (id) =>
      described(id, {
        token_endpoint_auth_method: "private_key_jwt",
        jwks_uri: new URL("/keys", id).href,
        grant_types: [DEVICE_GRANT],
      }),
  };
  beforeAll(async () => {
    site = await startAppSite((path, response, url) => {
      if (path === "/moved") response.writeHead(302, { location: `${url}/good` });
      response.end(documents[path]?.(url + path) ?? "");
    });
  });
  afterAll(() => site[Symbol.asyncDispose]());

  test("is verified, and fetched once", async () => {
    const { request } = await begin(baseUrl, `${site.url}/good`);
    await begin(baseUrl, `${site.url}/good`);
    const { app } = (await ada.readAuthorizationRequest({ request })).request;
    expect(app).toEqual({ name: "Described", host: new URL(site.url).host, isVerified: true });
    expect(site.requested).toEqual(["/good"]);
  });

  test.each([
    ...["/other", "/secret", "/secretive", "/script", "/huge", "/text", "/moved", "/missing"],
    ...["/ours", "/keys-in-clear"],
  ])("is refused for %s", async (path) => {
    expect(await outcomeOf(baseUrl, site.url + path)).toMatch(
      /^400 invalid_(client|client_metadata|redirect_uri)$/,
    );
  });

  test("can make the service fetch its keys only a few times from an address", async () => {
    const assertion = [
      { alg: "ES256", kid: "x" },
      { iss: `${site.url}/keyed`, sub: `${site.url}/keyed`, aud: baseUrl, jti: "1", exp: 9e9 },
      "x",
    ]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".");
    const ask = async () => {
      const response = await fetch(`${baseUrl}/oauth/device_authorization`, {
        method: "POST",
        headers: { "x-forwarded-for": "203.0.113.8" },
        body: new URLSearchParams({
          client_id: `${site.url}/keyed`,
          client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
          client_assertion: assertion,
        }),
      });
      return [response.status, (await response.json()).error];
    };
    // Two fetches for the first request: the description and the keys. The second request would fetch the keys again, because the first response contained none.
    expect([await ask(), await ask()]).toEqual([
      [401, "invalid_client"],
      [429, "temporarily_unavailable"],
    ]);
    expect(site.requested.filter((path) => path === "/keys")).toEqual(["/keys"]);
  });

  test("is refused at an address that isn't public or doesn't prove who is there", async () => {
    await using inner = await startTandem("sqlite");
    for (const id of [
      `${site.url}/good`,
      "https://10.0.0.1/app",
      "https://[::1]/app",
      "https://localhost/app",
    ]) {
      const response = await authorize(inner.baseUrl, id, { code_challenge: challengeOf("v".repeat(43)) });
      const { error, error_description } = await response.json();
      expect([id, response.status, error, error_description]).toEqual([
        ...[id, 400, "invalid_client"],
        "client_id metadata document fetch failed",
      ]);
    }
    expect(site.requested.filter((path) => path === "/good")).toEqual(["/good"]);
    for (const id of ["http://app.example/app", `${site.url}/../good`, `${site.url}/good#x`])
      expect(await outcomeOf(baseUrl, id)).toBe("400 invalid_client");
  });
});

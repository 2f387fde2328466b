import { limits } from "@tandem/contract/limits";
import { type AppSite, startAppSite } from "@tandem/testing/app-site";
import type { Person } from "@tandem/testing/callers";
import {
  authorize,
  type Begun,
  begin,
  challengeOf,
  connectedApp,
  goOn,
  letIn,
  post,
  REDIRECT,
  redeem,
  register,
  registerApp,
} from "@tandem/testing/oauth";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FOR_GOOD } from "../http/suspension.ts";

let tandem: Tandem;
let ada: Person;
let eve: Person;
let clientId: string;
let baseUrl: string;
beforeAll(async () => {
  const env = {
    OUTGOING_ALLOW: "127.0.0.1/32",
    TRUST_PROXY: "1",
    LIMIT_THROTTLES_APP_DOCUMENTS_PER_ADDRESS_LIMIT: "30",
    LIMIT_THROTTLES_APP_REGISTRATIONS_PER_ADDRESS_LIMIT: "3",
    LIMIT_THROTTLES_APP_REQUESTS_PER_ADDRESS_LIMIT: "3",
  };
  tandem = await startTandem("sqlite", { env });
  baseUrl = tandem.baseUrl;
  [ada, eve] = await Promise.all([tandem.as.human(), tandem.as.human()]);
  clientId = await registerApp(baseUrl);
}, 60_000);
afterAll(() => tandem.stop());

/** What happens to a request that begins wrong: an error that the app is told, or that only the person sees. */
async function fate(fields: Record<string, string>, client = clientId): Promise<string> {
  const challenge = { code_challenge: challengeOf("v".repeat(43)) };
  const response = await authorize(baseUrl, client, { ...challenge, ...fields });
  const location = response.headers.get("location");
  if (location === null) return `${response.status} ${(await response.json()).error}`;
  const { origin, pathname, search, hash } = new URL(location, baseUrl);
  if (origin === baseUrl) return pathname.replace(/[\w-]{43}$/, "…");
  const told = new URLSearchParams(search || hash.slice(1));
  return `${origin} ${told.get("error")} ${told.get("iss") === baseUrl ? "iss" : ""}`;
}

describe("the authorization endpoint", () => {
  test.each([
    ["a good request", {}, "/connect/…"],
    ["no PKCE", { code_challenge: "", code_challenge_method: "" }, "https://app.example invalid_request iss"],
    ["plain PKCE", { code_challenge_method: "plain" }, "https://app.example invalid_request iss"],
    ["no PKCE method", { code_challenge_method: "" }, "https://app.example invalid_request iss"],
    ["another service", { resource: "https://evil.example" }, "https://app.example invalid_target iss"],
    ["an implicit grant", { response_type: "token" }, "https://app.example unsupported_response_type iss"],
    ["a silent request", { prompt: "none" }, "https://app.example consent_required iss"],
    ["another site's redirect", { redirect_uri: "https://evil.example/" }, "400 invalid_redirect_uri"],
    ["a path below the redirect", { redirect_uri: `${REDIRECT}/more` }, "400 invalid_redirect_uri"],
    ["a query on the redirect", { redirect_uri: `${REDIRECT}?to=evil` }, "400 invalid_redirect_uri"],
    [
      "an address in userinfo",
      { redirect_uri: "https://app.example@evil.example/done" },
      "400 invalid_redirect_uri",
    ],
    ["no redirect", { redirect_uri: "" }, "400 invalid_request"],
    ["an unknown app", { client_id: "unknown" }, "400 invalid_client"],
    ["no app", { client_id: "" }, "400 invalid_request"],
  ])("%s", async (_name, fields, expected) => {
    expect(await fate(fields)).toBe(expected);
  });

  test("a loopback redirect may use any port (RFC 8252), but no other path or host", async () => {
    const local = await registerApp(baseUrl, { redirect_uris: ["http://127.0.0.1/done", "com.app:/done"] });
    const at = (redirect_uri: string) => fate({ redirect_uri }, local);
    expect(await at("http://127.0.0.1:5555/done")).toBe("/connect/…");
    expect(await at("com.app:/done")).toBe("/connect/…");
    for (const other of [
      "http://127.0.0.1:5555/other",
      "http://localhost:5555/done",
      "http://evil.example:5555/done",
    ])
      expect(await at(other)).toBe("400 invalid_redirect_uri");
  });

  test("shows people a page instead of an error that the app can't be told", async () => {
    const response = await fetch(`${baseUrl}/oauth/authorize?client_id=unknown&response_type=code`, {
      headers: { accept: "text/html,application/xhtml+xml" },
      redirect: "manual",
    });
    expect([response.status, response.headers.get("location")]).toEqual([
      303,
      "/connect?error=invalid_client",
    ]);
  });
});

describe("redeeming a code", () => {
  const wrong: [
    string,
    (begun: Begun) => Record<string, string> | Promise<Record<string, string>>,
    string,
  ][] = [
    ["with another verifier", () => ({ code_verifier: "w".repeat(43) }), "invalid_grant"],
    ["without a verifier", () => ({ code_verifier: "" }), "invalid_grant"],
    [
      "with the challenge as verifier",
      ({ verifier }) => ({ code_verifier: challengeOf(verifier) }),
      "invalid_grant",
    ],
    ["with another redirect", () => ({ redirect_uri: `${REDIRECT}/more` }), "invalid_grant"],
    ["for another service", () => ({ resource: "https://evil.example/" }), "invalid_target"],
    ["as another app", async () => ({ client_id: await registerApp(baseUrl) }), "invalid_grant"],
  ];
  test.each(wrong)("%s", async (_name, fieldsOf, expected) => {
    const begun = await begin(baseUrl, clientId);
    const { code } = await letIn(tandem, ada, begun);
    const refused = await redeem(baseUrl, begun, code, await fieldsOf(begun));
    expect([refused.status, refused.body.error]).toEqual([400, expected]);
  });

  test("the code names the server that issued it, against mix-up", async () => {
    const begun = await begin(baseUrl, clientId);
    await ada.approveAuthorizationRequest({ request: begun.request });
    const { searchParams } = await goOn(baseUrl, begun, ada);
    expect([searchParams.get("iss"), searchParams.get("state")]).toEqual([baseUrl, "a state"]);
  });
});

describe("letting an app in", () => {
  test("can't be finished in another session, nor in another browser of the same person", async () => {
    const begun = await begin(baseUrl, clientId);
    await ada.approveAuthorizationRequest({ request: begun.request });
    // Eve began the request, and made Ada open it.
    await expect(goOn(baseUrl, begun, eve)).rejects.toThrow("invalid_request");
    const elsewhere = { ...ada, options: (await tandem.as.anotherSession(ada)).options };
    await expect(goOn(baseUrl, begun, elsewhere)).rejects.toThrow("invalid_request");
    // Ada's browser doesn't have the cookie of the browser in which the request began.
    await expect(goOn(baseUrl, { ...begun, cookie: "" }, ada)).rejects.toThrow("invalid_request");
  });

  test("needs an answer, once", async () => {
    const begun = await begin(baseUrl, clientId);
    await expect(goOn(baseUrl, begun, ada)).rejects.toThrow("invalid_request");
    const { request } = begun;
    const [one, other] = await Promise.all([
      ada.call("approveAuthorizationRequest", { request }),
      eve.call("approveAuthorizationRequest", { request }),
    ]);
    expect([one.status, other.status].sort()).toEqual([200, 404]);
    expect((await ada.call("denyAuthorizationRequest", { request })).status).toBe(404);
  });

  test("gives no scope that the app didn't ask for, and no one else's agent", async () => {
    const { agent } = await tandem.as.agent(eve);
    const { request } = await begin(baseUrl, clientId);
    const tried = async (choice: object) =>
      (await ada.call("approveAuthorizationRequest", { request, ...choice })).body.code;
    expect(await tried({ scopes: "products:write" })).toBe("invalid_scope");
    expect(await tried({ agentId: agent.id })).toBe("not_found");
  });

  test("needs a recent proof of identity, and an account that isn't suspended", async () => {
    const { request } = await begin(baseUrl, clientId);
    const bob = await tandem.as.human();
    const tried = async () => (await bob.call("approveAuthorizationRequest", { request })).body.code;
    const of = tandem.storage;
    await of.write((tx) =>
      tx.updateTable("sessions").set({ proven_at: 0 }).where("user_id", "=", bob.user.id).execute(),
    );
    expect(await tried()).toBe("reauthentication_required");
    await bob.reauthenticate({ password: bob.password });
    await of.write((tx) =>
      tx.updateTable("users").set({ suspended_until: FOR_GOOD }).where("id", "=", bob.user.id).execute(),
    );
    expect(await tried()).toBe("suspended");
  });

  test("begins with a cookie that only this server's pages over https can get, if it is behind https", async () => {
    await using behind = await startTandem("sqlite", { env: { BASE_URL: "https://tandem.example" } });
    const own = behind.baseUrl;
    const response = await authorize(own, await registerApp(own), {
      code_challenge: challengeOf("v".repeat(43)),
    });
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^tandem_authorization=[\w-]+; path=\/oauth\/authorize\/[\w-]+;.*secure; httponly/,
      ),
    ]);
  });

  test("is refused to a page of another site", async () => {
    const { request } = await begin(baseUrl, clientId);
    const cookie = String(ada.options.headers?.cookie);
    const framed = tandem.as.with({ cookie, origin: "https://evil.example" });
    const refused = await framed.call("approveAuthorizationRequest", { request });
    expect(refused.body.code).toBe("cross_origin");
  });

  test("wrong codes of devices are limited per account", async () => {
    const guess = async (person: Person, request: string) =>
      (await person.call("readAuthorizationRequest", { request })).body.code;
    const mallory = await tandem.as.human();
    for (let i = 0; i < 10; i++) expect(await guess(mallory, "BCDF-GHJK")).toBe("not_found");
    expect(await guess(mallory, "BCDF-GHJK")).toBe("rate_limited");
    expect(await guess(ada, "BCDF-GHJK")).toBe("not_found");
  });
});

describe("registering", () => {
  const many = Array.from({ length: 30 }, (_, i) => `https://app.example/${i}`);
  test.each([
    ["a script", ["javascript:alert(1)"], "invalid_redirect_uri"],
    ["a disguised script", ["JavaScript://app.example/%0aalert(1)"], "invalid_redirect_uri"],
    ["data", ["data:text/html,hi"], "invalid_redirect_uri"],
    ["a website without https", ["http://app.example/done"], "invalid_redirect_uri"],
    ["a name in the address", ["https://app.example@evil.example/"], "invalid_redirect_uri"],
    ["a fragment", ["https://app.example/#done"], "invalid_redirect_uri"],
    ["no redirect", [], "invalid_redirect_uri"],
    ["many redirects", many, "invalid_redirect_uri"],
  ])("with %s as redirect", async (_name, redirect_uris, expected) => {
    const { status, body } = await register(baseUrl, { redirect_uris });
    expect([status, body.error]).toEqual([400, expected]);
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
    for (let i = 0; i < 3; i++) expect((await from("register"))[0]).toBe(201);
    expect(await from("register")).toEqual([429, "temporarily_unavailable"]);
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

  test.each(["/other", "/secret", "/secretive", "/script", "/huge", "/text", "/moved", "/missing"])(
    "is refused for %s",
    async (path) => {
      expect(await fate({}, site.url + path)).toMatch(/^400 invalid_(client|client_metadata|redirect_uri)$/);
    },
  );

  test("is refused at an address that isn't public or doesn't prove who is there", async () => {
    await using inner = await startTandem("sqlite");
    for (const id of [
      `${site.url}/good`,
      "https://10.0.0.1/app",
      "https://[::1]/app",
      "https://localhost/app",
    ]) {
      const response = await authorize(inner.baseUrl, id, { code_challenge: challengeOf("v".repeat(43)) });
      expect([id, response.status]).toEqual([id, 400]);
    }
    expect(site.requested.filter((path) => path === "/good")).toEqual(["/good"]);
    for (const id of ["http://app.example/app", `${site.url}/../good`, `${site.url}/good#x`])
      expect(await fate({}, id)).toBe("400 invalid_client");
  });
});

describe("a token", () => {
  test("is a key: published by mistake, it is revoked", async () => {
    const { access } = await connectedApp(tandem, ada);
    const refused = await ada.call("createPost", { title: `Look: ${access}` });
    expect(refused.body.code).toBe("key_exposed");
    expect((await tandem.as.bearer(access).call("me")).status).toBe(401);
  });

  test("isn't stored, and neither is any code", async () => {
    const { access, refresh, code, begun } = await connectedApp(tandem, ada);
    const { body } = await post(baseUrl, "device_authorization", { client_id: clientId });
    const { storage } = tandem;
    const stored = JSON.stringify([
      await storage.read.selectFrom("oauth_records").selectAll().execute(),
      await storage.read.selectFrom("keys").selectAll().execute(),
    ]);
    for (const secret of [access, refresh, code, begun.verifier, body.device_code, body.user_code])
      expect(stored).not.toContain(String(secret));
  });
});

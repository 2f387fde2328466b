import type { Person } from "@tandem/testing/callers";
import {
  approve,
  authorize,
  authorizeUrl,
  type Begun,
  begin,
  challengeOf,
  connectedApp,
  outcomeOf,
  post,
  REDIRECT,
  redeem,
  registerApp,
  resume,
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
  tandem = await startTandem();
  baseUrl = tandem.baseUrl;
  [ada, eve] = await Promise.all([tandem.as.human(), tandem.as.human()]);
  clientId = await registerApp(baseUrl);
});
afterAll(() => tandem.stop());

const outcome = (fields: Record<string, string>, client = clientId) => outcomeOf(baseUrl, client, fields);

describe("the authorization endpoint", () => {
  test.each([
    ["a good request", {}, "/connect/…"],
    ["no PKCE", { code_challenge: "", code_challenge_method: "" }, "https://app.example invalid_request iss"],
    ["plain PKCE", { code_challenge_method: "plain" }, "https://app.example invalid_request iss"],
    ["no PKCE method", { code_challenge_method: "" }, "https://app.example invalid_request iss"],
    ["another service", { resource: "https://evil.example" }, "https://app.example invalid_target iss"],
    ["an implicit grant", { response_type: "token" }, "https://app.example unsupported_response_type iss"],
    ["an unknown scope", { scope: "posts" }, "400 invalid_scope"],
    ["an unknown scope beside a known one", { scope: "posts posts:write" }, "/connect/…"],
    ["a silent request", { prompt: "none" }, "https://app.example consent_required iss"],
    ["an answer in a form", { response_mode: "form_post" }, "400 invalid_request"],
    ["an answer in a fragment", { response_mode: "fragment" }, "400 invalid_request"],
    ["an answer in the query", { response_mode: "query" }, "/connect/…"],
    ["a request in a JWT", { request: "e30.e30." }, "https://app.example request_not_supported iss"],
    [
      "a client of OpenID Connect",
      { scope: "openid posts:write", nonce: "n", max_age: "60", acr_values: "x", prompt: "select_account" },
      "/connect/…",
    ],
    ["a question mark in the state", { state: "a?b" }, "/connect/…"],
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
    expect(await outcome(fields)).toBe(expected);
  });

  test.each(["", "/", "/api", "/api/", "/mcp", "/mcp/", "/mcp?login", "/a2a"])(
    "a request for the resource at %j",
    async (path) => {
      expect(await outcome({ resource: baseUrl + path })).toBe("/connect/…");
    },
  );

  test("takes a question mark in the query as it is", async () => {
    const url = authorizeUrl(baseUrl, clientId, { code_challenge: challengeOf("v".repeat(43)) });
    const response = await fetch(url.replace("?", "?x=a?b&"), { redirect: "manual" });
    expect(response.headers.get("location")).toMatch(/^\/connect\/[\w-]+$/);
  });

  test("a loopback redirect may use any port (RFC 8252), but no other path or host", async () => {
    const local = await registerApp(baseUrl, { redirect_uris: ["http://127.0.0.1/done", "com.app:/done"] });
    const at = (redirect_uri: string) => outcome({ redirect_uri }, local);
    expect(await at("http://127.0.0.1:5555/done")).toBe("/connect/…");
    expect(await at("com.app:/done")).toBe("/connect/…");
    for (const other of [
      "http://127.0.0.1:5555/other",
      "http://localhost:5555/done",
      "http://evil.example:5555/done",
    ])
      expect(await at(other)).toBe("400 invalid_redirect_uri");
  });

  test.each([
    ["an unknown app", { client_id: "unknown" }, "invalid_client"],
    ["a request that forbids to ask", { prompt: "none" }, "consent_required"],
    ["another service", { resource: "https://evil.example" }, "invalid_target"],
    ["an implicit grant", { response_type: "token" }, "unsupported_response_type"],
  ])("sends no one on to an app before they have answered: %s", async (_name, fields, error) => {
    const all = { code_challenge: challengeOf("v".repeat(43)), ...fields };
    const response = await fetch(authorizeUrl(baseUrl, clientId, all), {
      headers: { accept: "text/html,application/xhtml+xml" },
      redirect: "manual",
    });
    expect([response.status, response.headers.get("location")]).toEqual([303, `/connect?error=${error}`]);
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
    const { code } = await approve(tandem, ada, begun);
    const refused = await redeem(baseUrl, begun, code, await fieldsOf(begun));
    expect([refused.status, refused.body.error]).toEqual([400, expected]);
  });

  test("the code names the server that issued it, against mix-up", async () => {
    const begun = await begin(baseUrl, clientId);
    await ada.approveAuthorizationRequest({ request: begun.request });
    const { searchParams } = await resume(baseUrl, begun, ada);
    expect([searchParams.get("iss"), searchParams.get("state")]).toEqual([baseUrl, "a state"]);
  });
});

describe("authorizing an app", () => {
  test("can't be finished in another session, nor in another browser of the same person", async () => {
    const begun = await begin(baseUrl, clientId);
    await ada.approveAuthorizationRequest({ request: begun.request });
    // Eve began the request, and made Ada open it.
    await expect(resume(baseUrl, begun, eve)).rejects.toThrow("invalid_request");
    const elsewhere = { ...ada, options: (await tandem.as.anotherSession(ada)).options };
    await expect(resume(baseUrl, begun, elsewhere)).rejects.toThrow("invalid_request");
    // Ada's browser doesn't have the cookie of the browser in which the request began.
    await expect(resume(baseUrl, { ...begun, cookie: "" }, ada)).rejects.toThrow("invalid_request");
  });

  test("needs an answer, once", async () => {
    const begun = await begin(baseUrl, clientId);
    await expect(resume(baseUrl, begun, ada)).rejects.toThrow("invalid_request");
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

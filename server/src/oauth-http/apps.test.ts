import { limits } from "@tandem/contract/limits";
import { type AppSite, startAppSite } from "@tandem/testing/app-site";
import type { Person } from "@tandem/testing/callers";
import { authorize, begin, challengeOf, fateOf, REDIRECT, register } from "@tandem/testing/oauth";
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
    LIMIT_THROTTLES_APP_DOCUMENTS_PER_ADDRESS_LIMIT: "3",
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
      expect(await fateOf(baseUrl, site.url + path)).toMatch(
        /^400 invalid_(client|client_metadata|redirect_uri)$/,
      );
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
      expect(await fateOf(baseUrl, id)).toBe("400 invalid_client");
  });
});

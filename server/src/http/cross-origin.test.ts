import { documents, TOOLS_PATH } from "@tandem/contract/documents";
import { JWKS_PATH, LOG_PATH } from "@tandem/contract/log/entry";
import { isWrite } from "@tandem/contract/operation";
import { type OperationName, operationList } from "@tandem/contract/operations";
import type { Person } from "@tandem/testing/callers";
import { type Inputs, makeFullUser } from "@tandem/testing/inputs";
import { sendRequest } from "@tandem/testing/raw-http";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const foreign: Record<string, string>[] = [
  { origin: "https://evil.example" },
  { origin: "null" },
  { origin: "not an origin" },
  { "sec-fetch-site": "cross-site" },
  { origin: "https://evil.example", "sec-fetch-site": "same-origin" },
];

describe("requests from other sites", () => {
  let tandem: Tandem;
  let person: Person;
  let inputs: Inputs;
  let key: string;
  beforeAll(async () => {
    tandem = await startTandem();
    const settled = await makeFullUser(tandem);
    ({ person, inputs } = settled);
    key = String(settled.agent.options.key);
  });
  afterAll(() => tandem.stop());

  const send = async (name: OperationName, headers: Record<string, string>) => {
    const { status, body } = await tandem.as.with(headers).call(name, inputs[name], { dryRun: true });
    return body.code ?? status;
  };
  const cookie = () => person.options.headers ?? {};

  const writes = operationList.filter(isWrite).map(({ name }) => name as OperationName);
  test.each(writes)("%s with a cookie are refused", async (name) => {
    const responses = await Promise.all(foreign.map((from) => send(name, { ...cookie(), ...from })));
    expect(responses).toEqual(foreign.map(() => "cross_origin"));
  });

  test("can't sign in or up, even without a cookie", async () => {
    for (const name of ["signUp", "logIn", "beginSignIn", "signInWithGoogle", "signInWithApple"] as const)
      for (const from of foreign) expect(await send(name, from)).toBe("cross_origin");
  });

  test("can read", async () => {
    for (const from of foreign) expect(await send("listFollows", { ...cookie(), ...from })).toBe(200);
  });

  test("can write with a Bearer token, which browsers never send on their own", async () => {
    for (const from of foreign) {
      expect(await send("likePost", { authorization: `Bearer ${key}`, ...from })).toBe(200);
      const both = { ...cookie(), ...from, authorization: `Bearer ${key}` };
      expect(await send("likePost", both)).toBe(200);
    }
  });

  test("get a 401 for a write without a credential", async () => {
    for (const from of foreign) expect(await send("likePost", from)).toBe("unauthorized");
  });

  test("the service's own pages can write", async () => {
    const own: Record<string, string>[] = [
      { origin: tandem.baseUrl },
      { "sec-fetch-site": "same-origin" },
      { "sec-fetch-site": "none" },
      { origin: tandem.baseUrl, "sec-fetch-site": "same-origin" },
    ];
    for (const from of own) expect(await send("likePost", { ...cookie(), ...from })).toBe(200);
  });

  test("change nothing if they are refused", async () => {
    const path = `/api/posts/${inputs.readPost.id}/like`;
    const headers = { ...cookie(), origin: "https://evil.example" };
    expect((await sendRequest(tandem.baseUrl, { method: "POST", path, headers })).status).toBe(403);
    expect((await person.readPost(inputs.readPost)).post.liked).toBe(false);
  });
});

describe("pages of other sites", () => {
  const origin = "https://app.example";
  let tandem: Tandem;
  let key: string;
  beforeAll(async () => {
    tandem = await startTandem();
    key = String((await tandem.as.agent()).options.key);
  });
  afterAll(() => tandem.stop());

  const open = [
    "/api/posts",
    "/api/nothing",
    documents.openApi,
    documents.summary,
    documents.reference,
    documents.policy,
    documents.catalog,
    JWKS_PATH,
    `${LOG_PATH}/checkpoint`,
  ];

  test("may read the API, its documents and its errors, and headers that browsers hide, but never with a cookie", async () => {
    for (const path of open) {
      const { headers } = await sendRequest(tandem.baseUrl, { path, headers: { origin } });
      expect([path, headers.get("access-control-allow-origin")]).toEqual([path, "*"]);
      expect(headers.get("access-control-allow-credentials")).toBe(null);
    }
    const { headers } = await sendRequest(tandem.baseUrl, { path: "/api/posts", headers: { origin } });
    const exposed = (headers.get("access-control-expose-headers") ?? "").toLowerCase().split(", ");
    const hidden = [...headers.keys()].filter((name) => /^(ratelimit.*|x-request-id|etag|link)$/.test(name));
    expect(exposed).toEqual(expect.arrayContaining([...hidden, "retry-after", "www-authenticate"]));
  });

  test.each([
    ["POST", "/api/posts"],
    ["DELETE", "/api/posts/1"],
    ["POST", TOOLS_PATH],
  ])("may %s %s with a key: the preflight allows it", async (method, path) => {
    const asked = {
      "access-control-request-method": method,
      "access-control-request-headers": "authorization,content-type,idempotency-key",
    };
    const preflight = await sendRequest(tandem.baseUrl, {
      method: "OPTIONS",
      path,
      headers: { origin, ...asked },
    });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
    expect(preflight.headers.get("access-control-allow-methods")).toContain(method);
    expect(preflight.headers.get("access-control-allow-headers")?.toLowerCase()).toMatch(
      /authorization, content-digest, content-type, idempotency-key/,
    );
    expect(preflight.headers.get("access-control-allow-credentials")).toBe(null);
  });

  test("may write with a key, and read why they can't", async () => {
    const send = (authorization: Record<string, string>) =>
      sendRequest(tandem.baseUrl, {
        method: "POST",
        path: "/api/posts",
        headers: { origin, "content-type": "application/json", ...authorization },
        body: `{"title":"From elsewhere"}`,
      });
    const written = await send({ authorization: `Bearer ${key}` });
    expect([written.status, written.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    const refused = await send({});
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([401, "*"]);
  });

  test("can't read pages", async () => {
    const { headers } = await sendRequest(tandem.baseUrl, {
      path: "/",
      headers: { origin, accept: "text/html" },
    });
    expect(headers.get("access-control-allow-origin")).toBe(null);
    const asked = { origin, "access-control-request-method": "POST" };
    expect(
      (await sendRequest(tandem.baseUrl, { method: "OPTIONS", path: "/login", headers: asked })).status,
    ).toBe(405);
  });
});

describe("behind a proxy", () => {
  test("the base URL is the only own origin", async () => {
    const env = { BASE_URL: "https://tandem.example" };
    await using tandem = await startTandem("sqlite", { env });
    const post = (origin: string) =>
      sendRequest(tandem.baseUrl, { method: "POST", path: "/api/auth/nonce", headers: { origin } });
    expect((await post("https://tandem.example")).status).toBe(200);
    expect((await post("http://tandem.example")).body.code).toBe("cross_origin");
    expect((await post("https://tandem.example.evil.example")).body.code).toBe("cross_origin");
  });
});

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

import { MINUTE } from "@tandem/contract/durations";
import { DEVICE_GRANT } from "@tandem/contract/oauth";
import type { Person } from "@tandem/testing/callers";
import {
  approve,
  begin,
  connectedApp,
  post,
  redeem,
  refresh,
  registerApp,
  resume,
} from "@tandem/testing/oauth";
import { listenToStream } from "@tandem/testing/stream-listener";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { keyHint } from "../http/key-format.ts";
import { DatabaseUnusable, Overloaded } from "../storage/storage.ts";

/** Codes and tokens that are used twice, at the same time, for something else, or while the service is busy. */
describe.each(engines)("codes and tokens on %s", (engine) => {
  let elapsed = 0;
  let frozen: number | null = null;
  let tandem: Tandem;
  let baseUrl: string;
  let ada: Person;
  let clientId: string;
  beforeAll(async () => {
    tandem = await startTandem(engine, { now: () => frozen ?? Date.now() + elapsed });
    baseUrl = tandem.baseUrl;
    clientId = await registerApp(baseUrl);
  });
  afterAll(() => tandem.stop());

  const status = async (token: unknown) => (await tandem.as.bearer(String(token)).call("me")).status;
  const keysOf = async (person: Person) => (await person.listKeys()).keys.map(({ id }) => id);

  test("a refresh token works once; used again, it ends the grant, and its person is told", async () => {
    ada = await tandem.as.human();
    const app = await connectedApp(tandem, ada);
    const { body } = await refresh(baseUrl, app.clientId, app.refresh);
    const [access, next] = [String(body.access_token), String(body.refresh_token)];
    expect(next).not.toBe(app.refresh);
    expect([await status(app.access), await status(access)]).toEqual([401, 200]);
    expect((await refresh(baseUrl, app.clientId, app.refresh)).body.error).toBe("invalid_grant");
    expect(await status(access)).toBe(401);
    expect((await refresh(baseUrl, app.clientId, next)).body.error).toBe("invalid_grant");
    expect(await keysOf(ada)).toEqual([]);
    const { notifications } = await ada.listNotifications();
    expect(notifications).toMatchObject([{ type: "key_revoked", keyHint: keyHint(access) }]);
    const recorded = tandem.storage.read.selectFrom("audit_log").select(["act", "target", "detail"]);
    const entries = await recorded.where("target", "=", `key:${app.keyId}`).execute();
    expect(entries).toEqual([
      { act: "revokeKey", target: `key:${app.keyId}`, detail: expect.stringContaining("used twice") },
    ]);
  });

  test("of two uses at the same time, at most one gets tokens, and they end", async () => {
    ada = await tandem.as.human();
    const app = await connectedApp(tandem, ada);
    const twice = await Promise.all([1, 2].map(() => refresh(baseUrl, app.clientId, app.refresh)));
    expect(twice.some(({ body }) => body.error === "invalid_grant")).toBe(true);
    for (const { body } of twice) if (body.access_token) expect(await status(body.access_token)).toBe(401);
    expect(await keysOf(ada)).toEqual([]);
  });

  test("a code works once; used again, it ends what the first use got", async () => {
    ada = await tandem.as.human();
    const { begun, code, access, keyId } = await connectedApp(tandem, ada);
    expect((await redeem(baseUrl, begun, code)).body.error).toBe("invalid_grant");
    const left = tandem.storage.read.selectFrom("oauth_records").where("key_id", "=", keyId);
    expect([await status(access), await left.select("hash").execute()]).toEqual([401, []]);
  });

  test("an answer gives one code, however often the browser comes back", async () => {
    ada = await tandem.as.human();
    const begun = await begin(baseUrl, clientId);
    await ada.approveAuthorizationRequest({ request: begun.request });
    const head = await fetch(`${baseUrl}/oauth/authorize/${begun.request}`, {
      method: "HEAD",
      redirect: "manual",
      headers: { cookie: `${begun.cookie}; ${ada.options.headers?.cookie}` },
    });
    expect(head.status).toBe(405);
    const four = await Promise.allSettled([1, 2, 3, 4].map(() => resume(baseUrl, begun, ada)));
    const codes = four.flatMap((one) =>
      one.status === "fulfilled" ? [one.value.searchParams.get("code")] : [],
    );
    expect(codes).toEqual([expect.any(String)]);
    expect((await redeem(baseUrl, begun, String(codes[0]))).status).toBe(200);
  });

  /** Makes the service too busy for each write of `send` in turn, until it succeeds. Each time, it must say so. */
  async function throughBusyness<T extends { status: number }>(send: () => Promise<T>): Promise<T> {
    const { storage } = tandem.services;
    for (let nth = 1; ; nth++) {
      let writes = 0;
      const write = storage.write.bind(storage);
      const spy = vi.spyOn(storage, "write").mockImplementation((work) => {
        writes += 1;
        return writes === nth ? Promise.reject(new Overloaded("busy")) : write(work);
      });
      const answer = await send();
      spy.mockRestore();
      if (writes < nth) return answer;
      expect([nth, answer.status]).toEqual([nth, 503]);
    }
  }

  test("a lost database isn't called the app's fault", async () => {
    ada = await tandem.as.human();
    const begun = await begin(baseUrl, clientId);
    const { code } = await approve(tandem, ada, begun);
    const lost = new DatabaseUnusable("database_file_missing", "Lost", "Move it back.");
    const spy = vi.spyOn(tandem.services.storage, "write").mockRejectedValue(lost);
    const answer = await redeem(baseUrl, begun, code);
    spy.mockRestore();
    expect([answer.status, answer.body]).toEqual([503, expect.objectContaining({ error: "server_error" })]);
  });

  test("nothing is used up by a request that fails, because of its resource or a busy service", async () => {
    ada = await tandem.as.human();
    const begun = await begin(baseUrl, clientId);
    const { code } = await approve(tandem, ada, begun);
    const wrong = await redeem(baseUrl, begun, code, { resource: "https://evil.example" });
    expect([wrong.status, wrong.body.error]).toEqual([400, "invalid_target"]);
    const { body } = await throughBusyness(() => redeem(baseUrl, begun, code));
    const token = String(body.refresh_token);
    const fields = { grant_type: "refresh_token", client_id: clientId, refresh_token: token };
    const elsewhere = await post(baseUrl, "token", { ...fields, resource: "https://evil.example" });
    expect([elsewhere.status, elsewhere.body.error]).toEqual([400, "invalid_target"]);
    const renewed = await throughBusyness(() =>
      post(baseUrl, "token", { ...fields, resource: `${baseUrl}/mcp?login` }),
    );
    expect(await status(renewed.body.access_token)).toBe(200);
  });

  test("the response says what the token can do, whatever scope the app asks for", async () => {
    ada = await tandem.as.human();
    const begun = await begin(baseUrl, clientId);
    const { code } = await approve(tandem, ada, begun, { scopes: "posts:write" });
    let { body } = await redeem(baseUrl, begun, code);
    for (const scope of ["read", "read comments:write"]) {
      const fields = { grant_type: "refresh_token", client_id: clientId, scope };
      ({ body } = await post(baseUrl, "token", { ...fields, refresh_token: String(body.refresh_token) }));
      expect(body.scope).toBe("read posts:write");
      const caller = tandem.as.bearer(String(body.access_token));
      const { post: note } = await caller.createPost({ title: `After ${scope}` });
      expect((await caller.call("createComment", { id: note.id, body: "More" })).status).toBe(403);
    }
  });

  test("a stream ends with its access token, unless the app has renewed it", async () => {
    ada = await tandem.as.human();
    const bob = await tandem.as.human();
    const { id } = (await ada.createPost({ title: "By Ada" })).post;
    const app = await connectedApp(tandem, ada);
    await using stream = await listenToStream(tandem.as.bearer(app.access));
    await stream.has(1);
    elapsed += 50 * MINUTE;
    const { body } = await refresh(baseUrl, app.clientId, app.refresh);
    elapsed += 50 * MINUTE;
    await bob.likePost({ id });
    await stream.has(3);
    elapsed += 15 * MINUTE;
    expect(await status(body.access_token)).toBe(401);
    await bob.createComment({ id, body: "Anyone there?" });
    await stream.ended;
    expect(stream.events.length).toBe(3);
  });

  test("a device that polls too often is told to slow down", async () => {
    const device = await registerApp(baseUrl, { grant_types: [DEVICE_GRANT], redirect_uris: [] });
    const { body } = await post(baseUrl, "device_authorization", { client_id: device });
    const fields = { grant_type: DEVICE_GRANT, client_id: device, device_code: String(body.device_code) };
    const poll = async () => (await post(baseUrl, "token", fields)).body.error;
    frozen = Date.now() + elapsed;
    try {
      expect([await poll(), await poll()]).toEqual(["authorization_pending", "slow_down"]);
      frozen += 6000;
      expect(await poll()).toBe("authorization_pending");
    } finally {
      frozen = null;
    }
  });

  describe("an app's signature", () => {
    let keyed: string;
    let privateKey: CryptoKey;
    beforeAll(async () => {
      const pair = await oauth.generateKeyPair("ES256", { extractable: true });
      privateKey = pair.privateKey;
      const { kty = "", crv = "", x = "", y = "" } = await crypto.subtle.exportKey("jwk", pair.publicKey);
      keyed = await registerApp(baseUrl, {
        redirect_uris: [],
        grant_types: [DEVICE_GRANT],
        token_endpoint_auth_method: "private_key_jwt",
        jwks: { keys: [{ kty, crv, x, y, alg: "ES256" }] },
      });
    });

    const encoded = (value: object | Uint8Array) =>
      Buffer.from(value instanceof Uint8Array ? value : JSON.stringify(value)).toString("base64url");
    async function fieldsWith(claims: object): Promise<Record<string, string>> {
      const now = Math.floor(Date.now() / 1000);
      const all = {
        iss: keyed,
        sub: keyed,
        aud: baseUrl,
        jti: crypto.randomUUID(),
        exp: now + 60,
        ...claims,
      };
      const signed = `${encoded({ alg: "ES256" })}.${encoded(all)}`;
      const how = { name: "ECDSA", hash: "SHA-256" };
      const signature = new Uint8Array(await crypto.subtle.sign(how, privateKey, Buffer.from(signed)));
      return {
        client_id: keyed,
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        client_assertion: `${signed}.${encoded(signature)}`,
      };
    }
    const ask = (fields: Record<string, string>) => post(baseUrl, "device_authorization", fields);

    test.each([
      ["that ends in the far future", { exp: 1e17 }],
      ["that ends tomorrow", { exp: Math.floor(Date.now() / 1000) + 86_400 }],
      ["that ends at half a second", { exp: Math.floor(Date.now() / 1000) + 60.5 }],
      ["whose id isn't text", { jti: { a: 1 } }],
    ])("%s is refused", async (_name, claims) => {
      const { status: code, body } = await ask(await fieldsWith(claims));
      expect([code, body.error]).toEqual([401, "invalid_client"]);
    });

    test("works once, also at the same time", async () => {
      const fields = await fieldsWith({});
      const answers = await Promise.all([1, 2, 3, 4].map(() => ask(fields)));
      expect(answers.map((one) => one.status).sort()).toEqual([200, 401, 401, 401]);
      expect((await ask(fields)).status).toBe(401);
    });
  });
});

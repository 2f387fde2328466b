import { DAY, HOUR, MINUTE } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { DEVICE_GRANT } from "@tandem/contract/oauth";
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
import { engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sweepOut } from "../housekeeping.ts";

/** What depends on the database: who authorizes an app, what it gets, and when that ends. */
describe.each(engines)("OAuth on %s", (engine) => {
  const once = testOnce(engine);
  let elapsed = 0;
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem(engine, { now: () => Date.now() + elapsed });
  });
  afterAll(() => tandem.stop());

  const status = async (token: string) => (await tandem.as.bearer(token).call("me")).status;
  const sweep = () => sweepOut(tandem.services, new AbortController().signal, 100);
  const records = async (keyId: number) =>
    (
      await tandem.storage.read
        .selectFrom("oauth_records")
        .select("hash")
        .where("key_id", "=", keyId)
        .execute()
    ).length;

  if (runsOnceTests(engine))
    test("an app that someone authorizes writes as AI, within the scopes, as the agent that they chose", async () => {
      const ada = await tandem.as.human();
      const { agent } = await tandem.as.agent(ada);
      const begun = await begin(tandem.baseUrl, await registerApp(tandem.baseUrl));
      const { request } = await ada.readAuthorizationRequest({ request: begun.request });
      const app = { name: "Loom reader", host: "app.example", isVerified: false };
      expect(request).toMatchObject({ app, receiver: "website", redirectHost: "app.example" });
      expect(request.scopes).toBe("posts:write,comments:write");
      const { code, keyId } = await approve(tandem, ada, begun, { scopes: "posts:write", agentId: agent.id });
      const { body, headers } = await redeem(tandem.baseUrl, begun, code);
      expect(body).toMatchObject({ token_type: "Bearer", expires_in: 3600, scope: "read posts:write" });
      expect(headers.get("cache-control")).toBe("no-store");
      const caller = tandem.as.bearer(String(body.access_token));
      const { post: note } = await caller.createPost({ title: "By an app", provenance: "human" });
      expect(note).toMatchObject({ provenance: "ai_generated", author: agent.username });
      const refused = await caller.call("createComment", { id: note.id, body: "Me too" });
      expect([refused.status, refused.body.code]).toEqual([403, "insufficient_scope"]);
      const [key] = (await ada.listKeys()).keys.filter(({ id }) => id === keyId);
      expect(key).toMatchObject({ app, agentId: agent.id, scopes: "posts:write", tier: "probation" });
      await ada.editKey({ id: keyId, paused: true });
      expect((await caller.call("createPost", { title: "Paused" })).body.code).toBe("paused");
      await ada.revokeKey({ id: keyId });
      expect(await status(String(body.access_token))).toBe(401);
      expect(await records(keyId)).toBe(0);
      const later = await refresh(tandem.baseUrl, begun.clientId, String(body.refresh_token));
      expect([later.status, later.body.error]).toEqual([400, "invalid_grant"]);
    });

  once("an app can act as a new agent, which is created as the person answers", async () => {
    const ada = await tandem.as.human();
    const begun = await begin(tandem.baseUrl, await registerApp(tandem.baseUrl));
    const { request } = begun;
    const attempt = async (choice: object) =>
      (await ada.call("approveAuthorizationRequest", { request, ...choice })).body;
    expect(await attempt({ username: "no spaces" })).toMatchObject({ code: "invalid_name" });
    expect(await attempt({ username: ada.user.username })).toMatchObject({ code: "username_taken" });
    const both = { username: "helper", agentId: 1 };
    expect(await attempt(both)).toMatchObject({ code: "invalid_input", field: "username" });
    const name = `helper_${engine}`;
    const { code, keyId } = await approve(tandem, ada, begun, { username: name });
    const { body } = await redeem(tandem.baseUrl, begun, code);
    const { user } = await tandem.as.bearer(String(body.access_token)).me();
    expect(user.username).toBe(name);
    const { agents } = await ada.listAgents();
    expect(agents.map(({ username }) => username)).toEqual([name]);
    expect((await ada.listKeys()).keys).toMatchObject([{ id: keyId, agentId: user.id, name: "Loom reader" }]);
  });

  once("an app whose key needs approval doesn't get another that doesn't", async () => {
    const ada = await tandem.as.human();
    const clientId = await registerApp(tandem.baseUrl);
    const approvalOf = async (choice: object) => {
      const begun = await begin(tandem.baseUrl, clientId);
      const { request } = await ada.readAuthorizationRequest({ request: begun.request });
      expect(request.approvalAccounts).toEqual(accounts);
      const { keyId } = await approve(tandem, ada, begun, choice);
      return (await ada.listKeys()).keys.find(({ id }) => id === keyId)?.approval;
    };
    let accounts: number[] = [];
    expect(await approvalOf({})).toBe(false);
    expect(await approvalOf({ approval: true })).toBe(true);
    accounts = [ada.user.id];
    expect(await approvalOf({})).toBe(true);
    expect(await approvalOf({ approval: false })).toBe(false);
    expect(await approvalOf({ username: `careful_${engine}`, approval: true })).toBe(true);
  });

  once("tokens, codes and grants expire", async () => {
    const ada = await tandem.as.human();
    const app = await connectedApp(tandem, ada);
    const waiting = await begin(tandem.baseUrl, app.clientId);
    const { code, keyId } = await approve(tandem, ada, waiting);
    elapsed += 2 * MINUTE;
    expect((await redeem(tandem.baseUrl, waiting, code)).body.error).toBe("invalid_grant");
    elapsed += HOUR;
    const late = await tandem.as.bearer(app.access).call("me");
    expect([late.status, late.body.code]).toEqual([401, "key_expired"]);
    expect(late.body.hint).toMatch(/^Get another with the refresh token\./);
    await sweep();
    // The grant whose code was never redeemed is gone; the other isn't.
    expect((await ada.listKeys()).keys.map(({ id }) => id)).toEqual([app.keyId]);
    expect(await records(keyId)).toBe(0);
    const { body } = await refresh(tandem.baseUrl, app.clientId, app.refresh);
    expect(await status(String(body.access_token))).toBe(200);
    elapsed += 91 * DAY;
    const end = await refresh(tandem.baseUrl, app.clientId, String(body.refresh_token));
    expect(end.body.error).toBe("invalid_grant");
    expect(await status(String(body.access_token))).toBe(401);
  });

  test("an app that asks again and again loses the oldest access to the same account", async () => {
    const ada = await tandem.as.human();
    const { agent } = await tandem.as.agent(ada);
    const clientId = await registerApp(tandem.baseUrl);
    const keysOf = async () => (await ada.listKeys()).keys.map(({ id }) => id);
    const [agentKey] = await keysOf();
    const connect = async (choice = {}) => {
      const begun = await begin(tandem.baseUrl, clientId);
      const { code, keyId } = await approve(tandem, ada, begun, choice);
      const { body } = await redeem(tandem.baseUrl, begun, code);
      return { keyId, access: String(body.access_token) };
    };
    const first = await connect();
    const other = await connect({ agentId: agent.id });
    const later: number[] = [];
    while (later.length < limits.grantsPerApp - 1) later.unshift((await connect()).keyId);
    // It ends when the app gets its token, not before.
    const begun = await begin(tandem.baseUrl, clientId);
    const { code, keyId } = await approve(tandem, ada, begun);
    expect(await status(first.access)).toBe(200);
    await redeem(tandem.baseUrl, begun, code);
    expect(await status(first.access)).toBe(401);
    expect(await keysOf()).toEqual([keyId, ...later, other.keyId, agentKey]);

    // So the app can be authorized again with as many keys as an account can have, but nothing else can be added.
    const keys = async () => (await keysOf()).length;
    while ((await keys()) < limits.keysPerAccount) await ada.mintKey();
    const again = await begin(tandem.baseUrl, clientId);
    const approved = await approve(tandem, ada, again);
    const refused = await begin(tandem.baseUrl, clientId);
    expect(await ada.call("approveAuthorizationRequest", { request: refused.request })).toMatchObject({
      status: 403,
      body: { code: "key_limit" },
    });
    await redeem(tandem.baseUrl, again, approved.code);
    expect(await keys()).toBe(limits.keysPerAccount);
    expect(await keysOf()).not.toContain(later.at(-1));
  });

  once("a registered app is remembered as long as someone's access lasts", async () => {
    const ada = await tandem.as.human();
    const app = await connectedApp(tandem, ada);
    const isKnown = async () =>
      await begin(tandem.baseUrl, app.clientId).then(
        () => true,
        (error) => !String(error).includes("invalid_client"),
      );
    for (let day = 0; day < 3; day++) {
      elapsed += DAY + HOUR;
      await sweep();
      expect(await isKnown()).toBe(true);
    }
    expect((await refresh(tandem.baseUrl, app.clientId, app.refresh)).status).toBe(200);
    await tandem.storage.write((tx) => tx.deleteFrom("keys").where("id", "=", app.keyId).execute());
    elapsed += DAY + HOUR;
    await sweep();
    expect(await isKnown()).toBe(false);
  });

  test("an app can revoke its tokens, which ends its grant; another app can't", async () => {
    const ada = await tandem.as.human();
    for (const which of ["access", "refresh"] as const) {
      const app = await connectedApp(tandem, ada);
      const other = await registerApp(tandem.baseUrl);
      const revoke = (client_id: string) => post(tandem.baseUrl, "revoke", { client_id, token: app[which] });
      expect((await revoke(other)).status).toBe(200);
      expect(await status(app.access)).toBe(200);
      expect((await revoke(app.clientId)).status).toBe(200);
      expect(await status(app.access)).toBe(401);
      expect((await refresh(tandem.baseUrl, app.clientId, app.refresh)).body.error).toBe("invalid_grant");
    }
    expect((await ada.listKeys()).keys).toEqual([]);
  });

  once("a device gets in by a code that someone enters", async () => {
    const ada = await tandem.as.human();
    const clientId = await registerApp(tandem.baseUrl, { grant_types: [DEVICE_GRANT], redirect_uris: [] });
    const ask = () =>
      post(tandem.baseUrl, "device_authorization", { client_id: clientId, scope: "posts:write" });
    const { body: device } = await ask();
    const [userCode, deviceCode] = [String(device.user_code), String(device.device_code)];
    expect(device).toMatchObject({
      verification_uri: `${tandem.baseUrl}/device`,
      verification_uri_complete: `${tandem.baseUrl}/device?user_code=${userCode}`,
      expires_in: 900,
    });
    const poll = (device_code: string) =>
      post(tandem.baseUrl, "token", { grant_type: DEVICE_GRANT, client_id: clientId, device_code });
    expect((await poll(deviceCode)).body.error).toBe("authorization_pending");
    const { request } = await ada.readAuthorizationRequest({ request: userCode.toLowerCase() });
    expect(request).toMatchObject({ receiver: "other_device", redirectHost: null, scopes: "posts:write" });
    const { redirectUrl } = await ada.approveAuthorizationRequest({ request: userCode });
    expect(redirectUrl).toBeNull();
    const again = await ada.call("approveAuthorizationRequest", { request: userCode });
    expect([again.status, again.body.code]).toEqual([404, "not_found"]);
    const { body } = await poll(deviceCode);
    const { post: note } = await tandem.as
      .bearer(String(body.access_token))
      .createPost({ title: "By a device" });
    expect(note.author).toBe(ada.user.username);
    expect((await poll(deviceCode)).body.error).toBe("invalid_grant");
    expect(await status(String(body.access_token))).toBe(401);

    const { body: denied } = await ask();
    await ada.denyAuthorizationRequest({ request: String(denied.user_code) });
    expect((await poll(String(denied.device_code))).body.error).toBe("access_denied");
    const { body: late } = await ask();
    elapsed += 16 * MINUTE;
    expect((await poll(String(late.device_code))).body.error).toBe("expired_token");
    const gone = await ada.call("readAuthorizationRequest", { request: String(late.user_code) });
    expect(gone.status).toBe(404);
  });

  test("deleting the account ends its grants", async () => {
    const ada = await tandem.as.human();
    const app = await connectedApp(tandem, ada);
    await ada.deleteAccount({ password: ada.password });
    expect(await status(app.access)).toBe(401);
    expect((await refresh(tandem.baseUrl, app.clientId, app.refresh)).body.error).toBe("invalid_grant");
  });

  once("a refusal is told to the app", async () => {
    const ada = await tandem.as.human();
    const begun = await begin(tandem.baseUrl, await registerApp(tandem.baseUrl));
    await ada.denyAuthorizationRequest({ request: begun.request });
    const { searchParams } = await resume(tandem.baseUrl, begun, ada);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      error: "access_denied",
      state: "a state",
      iss: tandem.baseUrl,
    });
  });
});

import { crc32 } from "node:zlib";
import { limits } from "@tandem/contract/limits";
import { scopeNames } from "@tandem/contract/scopes";
import { type Person, uniqueName } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { sendRequest } from "@tandem/testing/raw-http";
import { engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

describe.each(engines)("keys on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let ada: Person;
  let bob: Person;
  const clock = stoppedClock(Date.UTC(2026, 0, 31, 12));

  beforeAll(async () => {
    tandem = await startTandem(engine, { now: clock.now });
    [ada, bob] = await Promise.all([tandem.as.human(), tandem.as.human()]);
  });
  beforeEach(() => tandem.storage.write((tx) => tx.deleteFrom("keys").execute()));
  afterAll(() => tandem.stop());

  once("creates a key on probation, with a hint, and without scopes unless asked for", async () => {
    const { key, secret } = await ada.mintKey();
    expect(key).toEqual({
      id: expect.any(Number),
      name: expect.stringMatching(/\S/),
      hint: `${String(secret).slice(0, "tandem_live_".length + 4)}…`,
      scopes: "",
      tier: "probation",
      agentId: null,
      paused: false,
      approval: false,
      caps: null,
      createdAt: "2026-01-31T12:00:00.000Z",
      lastUsedAt: null,
      expiresAt: null,
      app: null,
    });
    const caller = tandem.as.bearer(String(secret));
    expect((await caller.me()).user.id).toBe(ada.user.id);
    await expect(caller.createPost({ title: "x" })).rejects.toMatchObject({ code: "insufficient_scope" });
  });

  once("needs approval from the start if its owner says so", async () => {
    const code = async () =>
      (await tandem.as.anonymous().requestAgent({ username: uniqueName("asker") })).request.code;
    const made = [
      await ada.mintKey({ scopes: ["posts:write"], approval: true }),
      await ada.createAgent({ username: uniqueName("helper"), approval: true }),
      await ada.approveAgentRequest({ code: await code(), approval: true }),
    ];
    expect(made.map(({ key }) => key.approval)).toEqual([true, true, true]);
    const [mine] = made;
    const caller = tandem.as.bearer(String(mine && "secret" in mine && mine.secret));
    expect((await caller.call("createPost", { title: "Wait" })).status).toBe(202);
    expect((await ada.mintKey({ approval: false })).key.approval).toBe(false);
  });

  once("makes a secret of a prefix, 33 random characters and their CRC-32 in six base62 digits", async () => {
    const secrets = await Promise.all(Array.from({ length: 10 }, async () => (await ada.mintKey()).secret));
    expect(new Set(secrets).size).toBe(10);
    for (const secret of secrets) {
      const [, random = "", check = ""] =
        /^tandem_live_([0-9A-Za-z]{33,})([0-9A-Za-z]{6})$/.exec(String(secret)) ?? [];
      expect(fromBase62(check)).toBe(crc32(random));
    }
  });

  once("lists keys newest first, agents' included, without secret or hash", async () => {
    const agent = await tandem.as.agent(ada);
    const { key, secret } = await ada.mintKey({ name: "Mine" });
    const { status, body } = await ada.call("listKeys");
    expect({ status, keys: body.keys }).toMatchObject({
      status: 200,
      keys: [key, { id: agent.keyId, agentId: agent.agent.id }],
    });
    const fields = Object.keys(key).sort();
    for (const one of body.keys as object[]) expect(Object.keys(one).sort()).toEqual(fields);
    const stored = await tandem.storage.read.selectFrom("keys").selectAll().execute();
    for (const text of [JSON.stringify(body), JSON.stringify(stored)]) expect(text).not.toContain(secret);
    for (const { hash } of stored) expect(JSON.stringify(body)).not.toContain(hash);
    expect((await bob.listKeys()).keys).toEqual([]);
  });

  if (runsOnceTests(engine))
    test.each([
      ["posts:write", "posts:write"],
      ["comments:write,posts:write,comments:write", "comments:write,posts:write"],
      [" posts:write , posts:write ", "posts:write"],
      [["engagement:write", "profile:write"], "engagement:write,profile:write"],
      [[...scopeNames], scopeNames.join(",")],
      ["", ""],
      [[], ""],
      [null, ""],
    ])("reads the scopes %j as %j", async (scopes, expected) => {
      expect((await ada.mintKey({ scopes })).key.scopes).toBe(expected);
    });

  if (runsOnceTests(engine))
    test.each([
      "posts:read",
      "posts:write,admin",
      ["POSTS:WRITE"],
      "posts:write comments:write",
      7,
      [7],
      [null],
      {},
    ])("rejects the scopes %j", async (scopes) => {
      expect(await ada.call("mintKey", { scopes })).toMatchObject({
        status: 400,
        body: { code: "invalid_scope", field: "scopes" },
      });
      expect((await ada.listKeys()).keys).toEqual([]);
    });

  if (runsOnceTests(engine))
    test.each(["", " ", "x".repeat(65), 7, "a\u0000b"])("rejects the name %j", async (name) => {
      expect(await ada.call("mintKey", { name })).toMatchObject({
        status: 400,
        body: { code: "invalid_name", field: "name" },
      });
    });

  test("accepts a name of 64 code points", async () => {
    const name = "🔑".repeat(64);
    expect((await ada.mintKey({ name })).key.name).toBe(name);
  });

  once("uses the default name for null", async () => {
    expect((await ada.mintKey({ name: null })).key.name).toBe((await ada.mintKey()).key.name);
  });

  once("creates a key for the caller's agent, and returns 404 for someone else's", async () => {
    const agent = await tandem.as.agent(ada);
    const { key, secret } = await ada.mintKey({ agentId: agent.agent.id, scopes: "posts:write" });
    expect(key.agentId).toBe(agent.agent.id);
    const { post } = await tandem.as.bearer(String(secret)).createPost({ title: "Beep" });
    expect(post).toMatchObject({ author: agent.agent.username, authorIsAgent: true });
    for (const agentId of [agent.agent.id, ada.user.id, 999_999]) {
      await expect(bob.mintKey({ agentId })).rejects.toMatchObject({ status: 404, code: "not_found" });
    }
    expect((await ada.mintKey({ agentId: null })).key.agentId).toBe(null);
  });

  once("rejects a revoked key immediately, on public endpoints too", async () => {
    const { key, secret } = await ada.mintKey();
    const caller = tandem.as.bearer(String(secret));
    await caller.listPosts();
    expect(await ada.revokeKey({ id: key.id })).toEqual({ revoked: true });
    for (const name of ["me", "listPosts"] as const) {
      expect(await caller.call(name)).toMatchObject({ status: 401, body: { code: "unauthorized" } });
    }
    expect((await ada.listKeys()).keys).toEqual([]);
    expect((await ada.call("revokeKey", { id: key.id })).status).toBe(404);
  });

  once("revokes by query parameter, and returns 404 for someone else's key", async () => {
    const { key } = await ada.mintKey();
    const revoke = (caller: Person) =>
      sendRequest(tandem.baseUrl, {
        method: "DELETE",
        path: `/api/keys?id=${key.id}`,
        headers: { ...caller.options.headers },
      });
    expect(await revoke(bob)).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(await revoke(ada)).toMatchObject({ status: 200, body: { revoked: true } });
  });

  test("limits live keys per account", async () => {
    const minted = await Promise.all(
      Array.from({ length: limits.keysPerAccount + 3 }, () => ada.call("mintKey")),
    );
    expect(minted.filter((one) => one.status === 200)).toHaveLength(limits.keysPerAccount);
    for (const one of minted)
      if (one.status !== 200) expect(one).toMatchObject({ status: 403, body: { code: "key_limit" } });
    const [first] = (await ada.listKeys()).keys;
    await ada.revokeKey({ id: Number(first?.id) });
    await ada.mintKey();
    await bob.mintKey();
  });

  once("records the last use, to the minute", async () => {
    const { key, secret } = await ada.mintKey({ scopes: "posts:write" });
    const caller = tandem.as.bearer(String(secret));
    const use = () => caller.createPost({ title: "Used" });
    const lastUse = async () => (await ada.listKeys()).keys.find((one) => one.id === key.id)?.lastUsedAt;
    const now = () => new Date(clock.now()).toISOString();
    clock.pass(1000);
    const first = now();
    await use();
    // The response doesn't wait for this write.
    await expect.poll(lastUse).toBe(first);
    clock.pass(59_000);
    await use();
    expect(await lastUse()).toBe(first);
    clock.pass(60_001);
    await use();
    await expect.poll(lastUse).toBe(now());
  });
});

function fromBase62(text: string): number {
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  return [...text].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
}

import type { AgentCaller, Caller, Person } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { createDatabase } from "@tandem/testing/postgres";
import { temporaryDirectory } from "@tandem/testing/storage";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

describe.each(engines)("an operator's control of agents and keys on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let ada: Person;
  let agent: AgentCaller;
  let key: Caller & { keyId: number };
  const clock = stoppedClock();
  beforeAll(async () => {
    tandem = await startTandem(engine, { now: clock.now, env: { LIMIT_TIERS_PROBATION_POSTS: "5" } });
  });
  beforeEach(async () => {
    ada = await tandem.as.human();
    agent = await tandem.as.agent(ada);
    key = await tandem.as.key(["posts:write", "engagement:write"], ada);
  });
  afterAll(() => tandem.stop());

  const post = async (caller: Caller) => {
    const { status, body } = await caller.call("createPost", { title: "A note" });
    return status === 200 ? "200" : `${status} ${body.code}`;
  };

  once("pauses a key's writes immediately, and resumes them", async () => {
    const paused = await ada.editKey({ id: key.keyId, paused: true });
    expect(paused.key).toMatchObject({ id: key.keyId, paused: true });
    const refused = await key.call("createPost", { title: "A note" });
    expect([refused.status, refused.body.code]).toEqual([403, "paused"]);
    expect(refused.body.hint).toContain("PATCH /api/keys");
    for (const name of ["markNotificationsRead", "likePost"] as const)
      expect((await key.call(name, { id: 1 })).body.code).toBe("paused");
    expect((await key.call("listPosts")).status).toBe(200);
    expect((await key.readOwnKey()).key.paused).toBe(true);
    expect(await post(agent)).toBe("200");
    await ada.editKey({ id: key.keyId, paused: false });
    expect(await post(key)).toBe("200");
  });

  once("reports other errors before the pause", async () => {
    const reader = await tandem.as.key([], ada);
    await ada.editKey({ id: reader.keyId, paused: true });
    expect(await post(reader)).toBe("403 insufficient_scope");
    expect((await reader.call("mintKey", {})).body.code).toBe("session_required");
  });

  once("pauses an agent with all its keys and sessions, which can still be ended", async () => {
    const session = await tandem.as.agentSession(ada, agent.agent.id);
    const { key: second, secret } = await ada.mintKey({ agentId: agent.agent.id, scopes: "posts:write" });
    expect(second.paused).toBe(false);
    expect((await ada.editAgent({ id: agent.agent.id, paused: true })).agent.paused).toBe(true);
    const responses = [agent, tandem.as.bearer(String(secret)), session].map(post);
    expect(await Promise.all(responses)).toEqual(Array(3).fill("403 paused"));
    expect(await post(key)).toBe("200");
    const { username, password } = { ...ada.user, password: ada.password };
    const other = await tandem.as.agentSession(ada, agent.agent.id);
    expect((await other.call("logIn", { username, password })).status).toBe(200);
    expect((await session.call("logOut")).status).toBe(200);
    await ada.editAgent({ id: agent.agent.id, paused: false });
    expect(await post(agent)).toBe("200");
  });

  once("pauses all of the caller's agents and keys, and no others", async () => {
    const other = await tandem.as.agent();
    expect(await ada.pauseAll({ paused: true })).toEqual({ agents: 1, keys: 2 });
    expect(await Promise.all([agent, key, other].map(post))).toEqual(["403 paused", "403 paused", "200"]);
    expect(await post(ada)).toBe("200");
    expect(await ada.pauseAll({ paused: true })).toEqual({ agents: 0, keys: 0 });
    await ada.pauseAll({ paused: false });
    expect(await Promise.all([agent, key].map(post))).toEqual(["200", "200"]);
  });

  test("applies a pause to writes that are already waiting", async () => {
    const writes = Array.from({ length: 30 }, () => post(agent));
    const pause = ada.editAgent({ id: agent.agent.id, paused: true });
    const after = pause.then(() => post(agent));
    const responses = await Promise.all([...writes, after]);
    expect(responses.at(-1)).toBe("403 paused");
    expect(
      [...new Set(responses)].every((one) => ["200", "403 paused", "429 rate_limited"].includes(one)),
    ).toBe(true);
  });

  test("applies a pause in every process immediately", async () => {
    await using directory = await temporaryDirectory();
    await using database = engine === "postgres" ? await createDatabase() : null;
    const options = { dataDir: directory.path, env: { ...(database && { DATABASE_URL: database.url }) } };
    await using one = await startTandem(engine, options);
    await using other = await startTandem(engine, options);
    const bob = await one.as.human();
    const robot = await one.as.agent(bob);
    const there = other.as.bearer(String(robot.options.key));
    expect(await post(there)).toBe("200");
    await bob.editAgent({ id: robot.agent.id, paused: true });
    expect(await post(there)).toBe("403 paused");
    await bob.editAgent({ id: robot.agent.id, paused: false });
    expect(await post(there)).toBe("200");
  });

  once("caps a key below its tier, wherever limits are shown", async () => {
    const { key: capped } = await ada.editKey({ id: key.keyId, caps: { posts: 2, engagement: 0 } });
    expect(capped.caps).toEqual({ posts: 2, comments: null, engagement: 0, writes: null });
    const self = await key.readOwnKey();
    expect([self.limits.posts, self.limits.engagement, self.key.caps]).toEqual([2, 0, capped.caps]);
    const first = await key.call("createPost", { title: "One" });
    expect(first.headers.get("ratelimit-policy")).toContain('"posts";q=2;');
    expect(first.headers.get("ratelimit-remaining")).toBe("1");
    expect(await post(key)).toBe("200");
    expect(await post(key)).toBe("429 rate_limited");
    const { post: liked } = await ada.createPost({ title: "Likable" });
    expect((await key.call("likePost", { id: liked.id })).body.code).toBe("rate_limited");
    await ada.editKey({ id: key.keyId, caps: { posts: 1000 } });
    expect((await key.readOwnKey()).limits.posts).toBe(5);
    expect((await ada.editKey({ id: key.keyId, caps: null })).key.caps).toBe(null);
    expect(await post(key)).toBe("200");
  });

  test("enforces caps exactly under concurrency", async () => {
    await ada.editKey({ id: key.keyId, caps: { posts: 3 } });
    const responses = await Promise.all(Array.from({ length: 12 }, () => post(key)));
    expect(responses.toSorted()).toEqual([...Array(3).fill("200"), ...Array(9).fill("429 rate_limited")]);
    expect((await key.readOwnKey()).remaining.posts).toBe(0);
  });

  test("keeps what an edit leaves out, and rejects bad caps", async () => {
    await ada.editKey({ id: key.keyId, caps: { posts: 2 }, approval: true });
    const { key: named } = await ada.editKey({ id: key.keyId, name: "Nightly" });
    expect(named).toMatchObject({ name: "Nightly", approval: true, paused: false, caps: { posts: 2 } });
    for (const caps of [{ posts: -1 }, { posts: "2" }, { writes: 1.5 }, { unknown: 1 }, [], "none"]) {
      const { status, body } = await ada.call("editKey", { id: key.keyId, caps });
      expect([status, body.field]).toEqual([400, "caps"]);
    }
    const { key: capped } = await ada.editKey({ id: key.keyId, caps: { posts: 3 } });
    expect(capped.caps).toEqual({ posts: 3, comments: null, engagement: null, writes: null });
    expect((await ada.call("editKey", { id: key.keyId, name: " " })).body.code).toBe("invalid_name");
  });

  test("returns 404 for other accounts' keys and agents", async () => {
    const eve = await tandem.as.human();
    expect((await eve.call("editKey", { id: key.keyId, paused: true })).status).toBe(404);
    expect((await eve.call("editAgent", { id: agent.agent.id, paused: true })).status).toBe(404);
    expect((await eve.call("undoAgent", { id: agent.agent.id })).status).toBe(404);
    expect((await eve.call("listActivity", { agentId: agent.agent.id })).status).toBe(404);
    expect((await eve.call("listActivity", { keyId: key.keyId })).status).toBe(404);
  });
});

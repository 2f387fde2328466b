import { DAY } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { defaultLimits, tiers } from "@tandem/contract/tiers";
import { makeAdmin } from "@tandem/testing/admins";
import type { Caller } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { startTandem } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";

const { posts: dailyPosts } = tiers.probation;
/** The published limits, except that the limit per minute never interferes. */
const env = {
  LIMIT_TIERS_PROBATION_POSTS: "",
  LIMIT_THROTTLES_NEW_AGENTS_PER_ACCOUNT_LIMIT: "",
  LIMIT_TIERS_PROBATION_WRITES: "1000",
  LIMIT_TIERS_STANDARD_WRITES: "1000",
};
const all = ["posts:write"] as const;

describe("limits and strikes of an account", () => {
  const clock = stoppedClock();
  const start = () => startTandem("sqlite", { env, now: clock.now });

  test("aren't renewed by another key, whether the first one is revoked or not", async () => {
    await using tandem = await start();
    const ada = await tandem.as.human();
    const first = await tandem.as.key(all, ada);
    expect(await post(first, dailyPosts + 1)).toEqual({ 200: dailyPosts, 429: 1 });
    const beside = await tandem.as.key(all, ada);
    expect(await post(beside, 1)).toEqual({ 429: 1 });
    await ada.revokeKey({ id: first.keyId });
    const next = await tandem.as.key(all, ada);
    expect(await post(next, 2)).toEqual({ 429: 2 });
    expect((await next.readOwnKey()).remaining.posts).toBe(0);
    expect((await ada.readKey({ id: beside.keyId })).remaining.posts).toBe(0);
    // Her own session and her agents have limits of their own.
    expect(await post(ada, 1)).toEqual({ 200: 1 });
    const agent = await tandem.as.agent(ada);
    expect(await post(agent, 1)).toEqual({ 200: 1 });
    clock.pass(DAY);
    expect(await post(next, dailyPosts + 1)).toEqual({ 200: dailyPosts, 429: 1 });
  });

  test("compare what all keys wrote with the tier of the key that writes", async () => {
    await using tandem = await start();
    const ada = await tandem.as.human();
    const [admin, high, low] = await Promise.all([
      tandem.as.human(),
      tandem.as.key(all, ada),
      tandem.as.key(all, ada),
    ]);
    await makeAdmin(tandem.storage, admin);
    await admin.setKeyTier({ id: high.keyId, tier: "standard" });
    expect(await post(high, dailyPosts + 5)).toEqual({ 200: dailyPosts + 5 });
    expect(await post(low, 1)).toEqual({ 429: 1 });
    expect((await high.readOwnKey()).remaining.posts).toBe(tiers.standard.posts - dailyPosts - 5);
  });

  test("hold for an agent's session too, with the tier of its best key", async () => {
    await using tandem = await start();
    const [ada, admin] = await Promise.all([tandem.as.human(), tandem.as.human()]);
    await makeAdmin(tandem.storage, admin);
    const agent = await tandem.as.agent(ada);
    const session = await tandem.as.agentSession(ada, agent.agent.id);
    const first = await session.call("createPost", { title: "One" });
    expect(first.headers.get("ratelimit-policy")).toContain(`"posts";q=${dailyPosts};w=86400`);
    expect(await post(session, 59)).toEqual({ 200: dailyPosts - 1, 429: 60 - dailyPosts });
    expect(await post(agent, 1)).toEqual({ 429: 1 });
    const best = await tandem.as.key(all, ada);
    expect(await post(best, 1)).toEqual({ 200: 1 });
    await admin.setKeyTier({ id: agent.keyId, tier: "standard" });
    expect(await post(session, 1)).toEqual({ 200: 1 });
    await agent.createPost({ title: "By key" });
    // Without a key, the session is on probation.
    await ada.revokeKey({ id: agent.keyId });
    expect(await post(session, 1)).toEqual({ 429: 1 });
  });

  test("keep no one from ending their session", async () => {
    await using tandem = await start();
    const ada = await tandem.as.human();
    const session = await tandem.as.agentSession(ada, (await tandem.as.agent(ada)).agent.id);
    const write = async () => (await session.call("markNotificationsRead")).status;
    while ((await write()) === 200);
    expect(await write()).toBe(429);
    expect((await session.call("logOut")).status).toBe(200);
    expect((await session.call("me")).status).toBe(401);
  });

  test("keep a strike on all keys, old and new, until it expires", async () => {
    await using tandem = await start();
    const [ada, admin] = await Promise.all([tandem.as.human(), tandem.as.human()]);
    await makeAdmin(tandem.storage, admin);
    const agent = await tandem.as.agent(ada);
    const mint = async () => {
      await ada.reauthenticate({ password: ada.password });
      return ada.mintKey({ agentId: agent.agent.id, scopes: [...all] });
    };
    const other = tandem.as.bearer(String((await mint()).secret));
    const write = async (key: Caller) => {
      for (let i = 0; i < 20; i++) await key.markNotificationsRead();
    };
    await Promise.all([write(agent), write(other)]);
    clock.passDays(7);
    expect([await tier(agent), await tier(other)]).toEqual(["standard", "standard"]);
    const { post: bad } = await agent.createPost({ title: "Bad" });
    const { decision } = await admin.removePost({ id: bad.id, reason: "Advertising" });
    expect(decision.strike).toBe(true);
    const ends = new Date(clock.now() + 90 * DAY).toISOString();
    expect(await other.readOwnKey()).toMatchObject({ tier: "probation", strikes: 1, strikesEndAt: ends });
    expect((await admin.readAccount({ id: agent.agent.id })).user).toMatchObject({ strikesEndAt: ends });
    // A new key inherits it, and revoking the old one doesn't end it.
    await ada.revokeKey({ id: agent.keyId });
    const minted = tandem.as.bearer(String((await mint()).secret));
    await write(minted);
    clock.passDays(89);
    await write(minted);
    expect(await minted.readOwnKey()).toMatchObject({
      tier: "probation",
      strikes: 1,
      nextTier: { tier: "standard", days: 0, writes: 0, strikes: 1 },
    });
    expect(await tier(other)).toBe("probation");
    clock.passDays(1);
    expect(await minted.readOwnKey()).toMatchObject({ tier: "standard", strikes: 0, strikesEndAt: null });
    expect(await tier(other)).toBe("standard");
  });

  test("end with a strike that is withdrawn, unless another one holds", async () => {
    await using tandem = await start();
    const [ada, admin] = await Promise.all([tandem.as.human(), tandem.as.human()]);
    await makeAdmin(tandem.storage, admin);
    const key = await tandem.as.key(undefined, ada);
    const { post: one } = await key.createPost({ title: "One" });
    const { post: two } = await ada.createPost({ title: "Two, by hand" });
    await admin.removePost({ id: one.id, reason: "Advertising" });
    clock.passDays(1);
    await admin.removePost({ id: two.id, reason: "Advertising" });
    const strikes = async () => (await key.readOwnKey()).strikes;
    expect(await strikes()).toBe(2);
    await admin.restorePost({ id: two.id });
    expect(await strikes()).toBe(1);
    clock.passDays(89);
    expect(await strikes()).toBe(0);
    // An admin sets a tier by hand even while a strike holds.
    const another = await tandem.as.human();
    await makeAdmin(tandem.storage, another);
    const { post: three } = await key.createPost({ title: "Three" });
    await another.removePost({ id: three.id, reason: "Advertising" });
    await another.setKeyTier({ id: key.keyId, tier: "trusted" });
    expect(await tier(key)).toBe("trusted");
  });

  test("can't be renewed by deleting agents for new ones", async () => {
    await using tandem = await start();
    const ada = await tandem.as.human();
    const { limit } = defaultLimits.throttles.newAgentsPerAccount;
    for (let i = 0; i < limit; i++) {
      const { agent } = await tandem.as.agent(ada);
      await ada.deleteAgent({ id: agent.id });
    }
    const { status, headers } = await ada.call("createAgent", { username: "one_more" });
    expect([status, headers.get("retry-after")]).toEqual([429, "86400"]);
  });

  test("pass from a deleted agent to the next one, and from each to one only", async () => {
    await using tandem = await start();
    const ada = await tandem.as.human();
    const [one, two] = [await tandem.as.agent(ada), await tandem.as.agent(ada)];
    expect(await post(one, dailyPosts)).toEqual({ 200: dailyPosts });
    expect(await post(two, 1)).toEqual({ 200: 1 });
    for (const { agent } of [two, one]) await ada.deleteAgent({ id: agent.id });
    const [next, other, third] = [
      await tandem.as.agent(ada),
      await tandem.as.agent(ada),
      await tandem.as.agent(ada),
    ];
    expect(await post(next, 1)).toEqual({ 429: 1 });
    expect(await post(other, dailyPosts)).toEqual({ 200: dailyPosts - 1, 429: 1 });
    expect(await post(third, dailyPosts)).toEqual({ 200: dailyPosts });
    // However often, and also for someone with as many agents as can be.
    for (const { agent } of [next, other, third]) await ada.deleteAgent({ id: agent.id });
    const all = [];
    for (let i = 0; i < limits.agentsPerPerson; i++) all.push(await tandem.as.agent(ada));
    for (const agent of all.slice(0, 3)) expect(await post(agent, 1)).toEqual({ 429: 1 });
    for (const agent of all.slice(3)) expect(await post(agent, dailyPosts)).toEqual({ 200: dailyPosts });
    for (const { agent } of all) await ada.deleteAgent({ id: agent.id });
    const last = await tandem.as.agent(ada);
    expect(await post(last, 1)).toEqual({ 429: 1 });
    clock.pass(DAY);
    expect(await post(last, 1)).toEqual({ 200: 1 });
  });

  test("judge the tier before the write", async () => {
    await using tandem = await start();
    const key = await tandem.as.key();
    for (let i = 0; i < 20; i++) await key.markNotificationsRead();
    clock.passDays(6.5);
    expect(await post(key, dailyPosts)).toEqual({ 200: dailyPosts });
    expect(await post(key, 1)).toEqual({ 429: 1 });
    clock.passDays(0.5);
    // Half a day later its daily posts are still used up, but the key is standard now.
    const response = await key.call("createPost", { title: "As standard" });
    expect(response.status).toBe(200);
    expect(response.headers.get("ratelimit-policy")).toContain(
      `"posts";q=${defaultLimits.tiers.standard.posts};`,
    );
  });
});

async function tier(key: Caller): Promise<string> {
  return (await key.readOwnKey()).tier;
}

/** Posts that often, and counts the responses by status. */
async function post(caller: Caller, times: number): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (let i = 0; i < times; i++) {
    const { status } = await caller.call("createPost", { title: `Post ${i}` });
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

import { quotas } from "@tandem/contract/tiers";
import type { Caller } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { startTandem } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";

const env = {
  LIMIT_TIERS_PROBATION_POSTS: "3",
  LIMIT_TIERS_PROBATION_COMMENTS: "100",
  LIMIT_TIERS_PROBATION_ENGAGEMENT: "100",
  LIMIT_TIERS_PROBATION_WRITES: "5",
  LIMIT_SESSION_WRITES_PER_MINUTE: "4",
};

describe("rate limit headers", () => {
  const clock = stoppedClock();
  const start = () => startTandem("sqlite", { env, now: clock.now });

  test("show the tightest quota, and all quotas in the fields of the IETF draft", async () => {
    await using tandem = await start();
    const key = await tandem.as.key();
    expect(await headersOf(key, "createPost", { title: "One" })).toEqual({
      status: 200,
      "ratelimit-limit": "3",
      "ratelimit-remaining": "2",
      "ratelimit-reset": "86400",
      "ratelimit-policy": '"posts";q=3;w=86400, "writes";q=5;w=60',
      ratelimit: '"posts";r=2;t=86400, "writes";r=4;t=60',
    });
    clock.pass(20_500);
    await key.markNotificationsRead();
    await key.markNotificationsRead();
    expect(await headersOf(key, "markNotificationsRead", {})).toEqual({
      status: 200,
      "ratelimit-limit": "5",
      "ratelimit-remaining": "1",
      "ratelimit-reset": "40",
      "ratelimit-policy": '"writes";q=5;w=60',
      ratelimit: '"writes";r=1;t=40',
    });
    expect(await headersOf(key, "createPost", { title: "Two" })).toMatchObject({
      "ratelimit-limit": "5",
      "ratelimit-remaining": "0",
      "ratelimit-reset": "40",
      ratelimit: '"posts";r=1;t=86380, "writes";r=0;t=40',
    });
  });

  test("of a 429 say when all exceeded quotas reset", async () => {
    await using tandem = await start();
    const key = await tandem.as.key();
    for (const title of ["One", "Two", "Three"]) await key.createPost({ title });
    await key.markNotificationsRead();
    await key.markNotificationsRead();
    const both = await headersOf(key, "createPost", { title: "Four" });
    expect(both).toMatchObject({
      status: 429,
      "retry-after": "86400",
      "ratelimit-limit": "3",
      "ratelimit-remaining": "0",
      "ratelimit-reset": "86400",
      ratelimit: '"posts";r=0;t=86400, "writes";r=0;t=60',
    });
    expect(await headersOf(key, "markNotificationsRead", {})).toMatchObject({
      status: 429,
      "retry-after": "60",
    });
    clock.pass(59_001);
    const soon = await headersOf(key, "markNotificationsRead", {});
    expect(soon).toMatchObject({ status: 429, "retry-after": "1", "ratelimit-reset": "1" });
    clock.pass(1000 * Number(soon["retry-after"]));
    expect((await headersOf(key, "markNotificationsRead", {})).status).toBe(200);
    const day = await headersOf(key, "createPost", { title: "Four" });
    expect(day).toMatchObject({ status: 429, "retry-after": "86340", "ratelimit-reset": "86340" });
    clock.pass(1000 * Number(day["retry-after"]));
    expect((await headersOf(key, "createPost", { title: "Four" })).status).toBe(200);
  });

  test("are in other errors, dry runs and replays too, which charge nothing", async () => {
    await using tandem = await start();
    const key = await tandem.as.key();
    await key.createPost({ title: "One" }, { idempotencyKey: "one" });
    const unchanged = {
      "ratelimit-limit": "3",
      "ratelimit-remaining": "2",
      "ratelimit-reset": "86400",
      ratelimit: '"posts";r=2;t=86400, "writes";r=4;t=60',
    };
    expect(await headersOf(key, "createPost", {})).toMatchObject({ status: 400, ...unchanged });
    const unknown = { title: "x", productIds: [9_999_999] };
    expect(await headersOf(key, "createPost", unknown)).toMatchObject({ status: 404, ...unchanged });
    const dryRun = { dryRun: true };
    expect(await headersOf(key, "createPost", { title: "x" }, dryRun)).toMatchObject({
      status: 200,
      ...unchanged,
    });
    const replay = { idempotencyKey: "one" };
    expect(await headersOf(key, "createPost", { title: "One" }, replay)).toMatchObject({
      status: 200,
      ...unchanged,
    });
  });

  test("are sent to a key without the scope, but not to anonymous callers", async () => {
    await using tandem = await start();
    const reader = await tandem.as.key([]);
    expect(await headersOf(reader, "createPost", {})).toMatchObject({
      status: 403,
      "ratelimit-remaining": "3",
    });
    expect(await headersOf(tandem.as.anonymous(), "createPost", {})).toEqual({ status: 401 });
  });

  test("never show a longer window after the clock was set back", async () => {
    const clock = stoppedClock();
    await using tandem = await startTandem("sqlite", {
      now: clock.now,
      env: { LIMIT_SESSION_WRITES_PER_MINUTE: "2" },
    });
    const person = await tandem.as.human();
    await person.createPost({ title: "One" });
    clock.passDays(-1);
    const { headers } = await person.call("createPost", { title: "Two" });
    expect(headers.get("ratelimit")).toBe('"writes";r=1;t=60');
    // A request that arrived a little earlier but is counted later belongs to the same window.
    clock.pass(-5);
    const late = await person.call("createPost", { title: "Three" });
    expect(late.headers.get("ratelimit")).toBe('"writes";r=0;t=60');
    expect((await person.call("createPost", { title: "Four" })).status).toBe(429);
  });

  test("show a session its limit per minute", async () => {
    await using tandem = await start();
    const person = await tandem.as.human();
    expect(await headersOf(person, "createPost", { title: "By hand" })).toEqual({
      status: 200,
      "ratelimit-limit": "4",
      "ratelimit-remaining": "3",
      "ratelimit-reset": "60",
      "ratelimit-policy": '"writes";q=4;w=60',
      ratelimit: '"writes";r=3;t=60',
    });
  });

  test("agree with what a key reads about itself", async () => {
    await using tandem = await start();
    const key = await tandem.as.key(["posts:write", "engagement:write"]);
    const { post } = await key.createPost({ title: "One" });
    await key.likePost({ id: post.id });
    expect(await key.readOwnKey()).toEqual({
      key: expect.objectContaining({
        id: key.keyId,
        agentId: null,
        hint: expect.stringMatching(/^tandem_live_.{4}…$/),
      }),
      scopes: "posts:write,engagement:write",
      tier: "probation",
      limits: { posts: 3, comments: 100, engagement: 100, writes: 5 },
      remaining: { posts: 2, comments: 100, engagement: 99, writes: 3 },
      paused: false,
      acceptedWrites: 2,
      strikes: 0,
      strikesEndAt: null,
      nextTier: { tier: "standard", days: 7, writes: 18, strikes: 0 },
      recentActivity: [
        expect.objectContaining({ operation: "likePost" }),
        expect.objectContaining({ operation: "createPost" }),
      ],
    });
    clock.pass(quotas.writes.seconds * 1000);
    expect((await key.readOwnKey()).remaining).toEqual({
      posts: 2,
      comments: 100,
      engagement: 99,
      writes: 5,
    });
    clock.pass(quotas.posts.seconds * 1000);
    expect((await key.readOwnKey()).remaining).toEqual({
      posts: 3,
      comments: 100,
      engagement: 100,
      writes: 5,
    });
  });
});

/** The status, and every header that speaks of limits. */
async function headersOf(
  caller: Caller,
  ...call: Parameters<Caller["call"]>
): Promise<Record<string, unknown>> {
  const { status, headers } = await caller.call(...call);
  const limits = [...headers].filter(([name]) => /^(ratelimit|retry-after)/.test(name));
  return { status, ...Object.fromEntries(limits) };
}

import type { Caller } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { startTandem } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";

const env = { LIMIT_GRADUATION_TRUSTED_WRITES: "40", LIMIT_TIERS_STANDARD_WRITES: "1000" };

describe("graduation", () => {
  const clock = stoppedClock();
  const start = () => startTandem("sqlite", { env, now: clock.now });

  test("promotes a key by age and accepted writes, one tier at a time", async () => {
    await using tandem = await start();
    const key = await tandem.as.key();
    await write(key, 19);
    clock.passDays(7);
    expect(await progress(key)).toEqual([
      "probation",
      19,
      { tier: "standard", days: 0, writes: 1, strikes: 0 },
    ]);
    await write(key, 1);
    expect(await progress(key)).toEqual([
      "standard",
      20,
      { tier: "trusted", days: 23, writes: 20, strikes: 0 },
    ]);
    expect((await key.readOwnKey()).limits).toEqual({
      posts: 50,
      comments: 500,
      engagement: 2000,
      writes: 1000,
    });
    await write(key, 25);
    clock.passDays(22);
    expect(await progress(key)).toEqual([
      "standard",
      45,
      { tier: "trusted", days: 1, writes: 0, strikes: 0 },
    ]);
    clock.passDays(1);
    await write(key, 1);
    expect(await progress(key)).toEqual(["trusted", 46, null]);
    expect((await key.readOwnKey()).limits).toEqual({
      posts: 200,
      comments: 2000,
      engagement: 10_000,
      writes: 60,
    });
  });

  test("requires both age and writes, and rounds the remaining days up", async () => {
    await using tandem = await start();
    const [busy, old] = await Promise.all([tandem.as.key(), tandem.as.key()]);
    await write(busy, 60);
    expect(await progress(busy)).toEqual([
      "probation",
      60,
      { tier: "standard", days: 7, writes: 0, strikes: 0 },
    ]);
    clock.passDays(6.5);
    await write(busy, 1);
    expect(await progress(busy)).toEqual([
      "probation",
      61,
      { tier: "standard", days: 1, writes: 0, strikes: 0 },
    ]);
    clock.passDays(20);
    await write(old, 1);
    expect(await progress(old)).toEqual([
      "probation",
      1,
      { tier: "standard", days: 0, writes: 19, strikes: 0 },
    ]);
  });

  test("counts only accepted writes", async () => {
    await using tandem = await start();
    const key = await tandem.as.key(["posts:write"]);
    await key.createPost({ title: "One" }, { idempotencyKey: "one" });
    await key.createPost({ title: "One" }, { idempotencyKey: "one" });
    await key.createPost({ title: "Two" }, { dryRun: true });
    await key.call("createPost", {});
    await key.call("deletePost", { id: 9_999_999 });
    await key.call("likePost", { id: 1 });
    await key.listPosts();
    expect((await key.readOwnKey()).acceptedWrites).toBe(1);
  });

  test("applies the new tier's limits from the next call", async () => {
    await using tandem = await startTandem("sqlite", {
      env: { ...env, LIMIT_TIERS_PROBATION_POSTS: "1", LIMIT_TIERS_STANDARD_POSTS: "3" },
      now: clock.now,
    });
    const key = await tandem.as.key();
    clock.passDays(7);
    await write(key, 18);
    await key.createPost({ title: "The day's only" });
    expect((await key.call("createPost", { title: "Too many" })).status).toBe(429);
    await write(key, 1);
    expect((await key.readOwnKey()).remaining.posts).toBe(2);
    await key.createPost({ title: "Second" });
    await key.createPost({ title: "Third" });
    expect((await key.call("createPost", { title: "Too many" })).status).toBe(429);
  });
});

async function write(key: Caller, times: number): Promise<void> {
  await Promise.all(Array.from({ length: times }, () => key.markNotificationsRead()));
}

async function progress(key: Caller) {
  const { tier, acceptedWrites, nextTier } = await key.readOwnKey();
  return [tier, acceptedWrites, nextTier];
}

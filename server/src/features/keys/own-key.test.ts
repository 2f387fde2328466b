import { MINUTE } from "@tandem/contract/durations";
import { graduation, tiers } from "@tandem/contract/tiers";
import { stoppedClock } from "@tandem/testing/clock";
import { startTandem } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";

const defaultQuotas = {
  LIMIT_TIERS_PROBATION_POSTS: "",
  LIMIT_TIERS_PROBATION_COMMENTS: "",
  LIMIT_TIERS_PROBATION_ENGAGEMENT: "",
  LIMIT_TIERS_PROBATION_WRITES: "",
};

describe("a key's own status", () => {
  test("shows scopes, tier, remaining quotas and what the next tier needs", async () => {
    const clock = stoppedClock();
    await using tandem = await startTandem("sqlite", { now: clock.now, env: defaultQuotas });
    const key = await tandem.as.key(["posts:write", "engagement:write"]);
    const { post } = await key.createPost({ title: "One" });
    await key.likePost({ id: post.id });
    const { probation } = tiers;
    const scopes = "posts:write,engagement:write";
    expect(await key.readOwnKey()).toMatchObject({
      key: { id: key.keyId, scopes, tier: "probation" },
      scopes,
      tier: "probation",
      limits: probation,
      remaining: {
        ...probation,
        posts: probation.posts - 1,
        engagement: probation.engagement - 1,
        writes: probation.writes - 2,
      },
      acceptedWrites: 2,
      strikes: 0,
      nextTier: {
        tier: "standard",
        ...graduation.standard,
        writes: graduation.standard.writes - 2,
        strikes: 0,
      },
      recentActivity: [
        { operation: "likePost", postId: post.id },
        { operation: "createPost", postId: post.id, undone: false },
      ],
    });
    clock.pass(MINUTE);
    expect((await key.readOwnKey()).remaining).toEqual({
      ...probation,
      posts: probation.posts - 1,
      engagement: probation.engagement - 1,
    });
    clock.passDays(1);
    expect((await key.readOwnKey()).remaining).toEqual(probation);
  });

  test("is shown to the key's owner too, and to no one else", async () => {
    await using tandem = await startTandem();
    const owner = await tandem.as.human();
    const agent = await tandem.as.agent(owner);
    await agent.createPost({ title: "One" });
    const { key, recentActivity, ...status } = await agent.readOwnKey();
    expect(recentActivity).toHaveLength(1);
    const { key: same, ...standing } = await owner.readKey({ id: agent.keyId });
    expect(standing).toEqual(status);
    expect(same.id).toBe(key.id);
    await owner.editAgent({ id: agent.agent.id, paused: true });
    expect([status.paused, (await agent.readOwnKey()).paused]).toEqual([false, true]);
    const other = await tandem.as.human();
    expect((await other.call("readKey", { id: agent.keyId })).status).toBe(404);
  });

  test("shows promotion by age and accepted writes, and no next tier at the top", async () => {
    const clock = stoppedClock();
    await using tandem = await startTandem("sqlite", {
      now: clock.now,
      env: { LIMIT_GRADUATION_STANDARD_WRITES: "2", LIMIT_GRADUATION_TRUSTED_WRITES: "3" },
    });
    const key = await tandem.as.key(["posts:write"]);
    const write = async () => {
      await key.createPost({ title: "Good" });
      return (await key.readOwnKey()).tier;
    };
    expect([await write(), await write()]).toEqual(["probation", "probation"]);
    clock.passDays(7);
    expect(await write()).toBe("standard");
    expect(await write()).toBe("standard");
    clock.passDays(23);
    expect(await write()).toBe("trusted");
    expect((await key.readOwnKey()).nextTier).toBe(null);
  });

  test("isn't available to sessions", async () => {
    await using tandem = await startTandem();
    const ada = await tandem.as.human();
    await expect(ada.readOwnKey()).rejects.toMatchObject({ status: 403, code: "forbidden" });
    await expect(tandem.as.anonymous().readOwnKey()).rejects.toMatchObject({ status: 401 });
  });
});

import { insertImportedPost } from "@tandem/testing/imported-posts";
import { engines, startTandem } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";

describe.each(engines)("a creator's page on %s", (engine) => {
  test("shows an account and its relationship to the caller", async () => {
    await using tandem = await startTandem(engine);
    const ada = await tandem.as.human("Ada");
    const [bob, carol] = [await tandem.as.human(), await tandem.as.human()];
    await ada.editProfile({ displayName: "Ada L.", bio: "Engines." });
    await ada.createPost({ title: "A note" });
    const target = { platform: "native", author: "ADA" } as const;
    await bob.follow(target);
    await bob.follow(target);
    await carol.follow(target);
    const { creator } = await bob.readCreator(target);
    expect(creator).toEqual({
      platform: "native",
      author: "Ada",
      displayName: "Ada L.",
      avatarUrl: null,
      bio: "Engines.",
      postCount: 1,
      followerCount: 2,
      following: true,
      authorIsAgent: false,
    });
    const anonymous = (await tandem.as.anonymous().readCreator(target)).creator;
    expect(anonymous).toEqual({ ...creator, following: false });
    await bob.unfollow(target);
    await bob.unfollow(target);
    expect((await bob.readCreator(target)).creator).toEqual({
      ...creator,
      followerCount: 1,
      following: false,
    });
  });

  test("shows an agent", async () => {
    await using tandem = await startTandem(engine);
    const agent = await tandem.as.agent(undefined, "digest_bot");
    const { creator } = await agent.readCreator({ platform: "native", author: "digest_bot" });
    expect(creator).toMatchObject({ authorIsAgent: true, following: false });
  });

  test("shows an imported author as in their latest post", async () => {
    await using tandem = await startTandem(engine);
    const reader = await tandem.as.human();
    const mary = { platform: "mastodon", author: "mary@example.org" } as const;
    expect((await reader.call("readCreator", mary)).status).toBe(404);
    await reader.follow(mary);
    expect((await reader.readCreator(mary)).creator).toMatchObject({
      postCount: 0,
      followerCount: 1,
      avatarUrl: null,
    });
    for (const n of [1, 2])
      await tandem.storage.write((tx) =>
        insertImportedPost(tx, { ...mary, authorAvatarUrl: `https://example.org/${n}.png` }),
      );
    expect((await reader.readCreator(mary)).creator).toMatchObject({
      postCount: 2,
      avatarUrl: "https://example.org/2.png",
      bio: null,
      following: true,
    });
    expect((await reader.call("readCreator", { ...mary, platform: "lemmy" })).status).toBe(404);
  });

  test("doesn't count followers whose account was deleted", async () => {
    await using tandem = await startTandem(engine);
    const ada = await tandem.as.human("ada");
    const operator = await tandem.as.human();
    const agent = await tandem.as.agent(operator);
    const target = { platform: "native", author: "ada" } as const;
    await agent.follow(target);
    expect((await ada.readCreator(target)).creator.followerCount).toBe(1);
    await operator.deleteAgent({ id: agent.agent.id });
    expect((await ada.readCreator(target)).creator.followerCount).toBe(0);
  });
});

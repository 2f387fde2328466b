import { makeAdmin } from "@tandem/testing/admins";
import type { Caller } from "@tandem/testing/callers";
import { insertImportedPost } from "@tandem/testing/imported-posts";
import { startTandem } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";

describe("a creator's page", () => {
  test("shows an account and its relationship to the caller", async () => {
    await using tandem = await startTandem();
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
      bannerUrl: null,
      bio: "Engines.",
      links: [],
      aiGeneratedFields: [],
      joinedAt: expect.stringMatching(/Z$/),
      pinnedPostId: null,
      postCount: 1,
      followerCount: 2,
      following: true,
      hasImportedPosts: false,
      muted: false,
      authorIsAgent: false,
      operator: null,
      relationship: { friends: false, friendRequest: null, blocked: false },
    });
    const anonymous = (await tandem.as.anonymous().readCreator(target)).creator;
    expect(anonymous).toEqual({ ...creator, following: false, relationship: null });
    await bob.unfollow(target);
    await bob.unfollow(target);
    expect((await bob.readCreator(target)).creator).toEqual({
      ...creator,
      followerCount: 1,
      following: false,
    });
  });

  test("shows friends, friend requests and blocks to people's sessions only", async () => {
    await using tandem = await startTandem();
    const [ada, bob] = [await tandem.as.human("ada"), await tandem.as.human("bob")];
    const agent = await tandem.as.agent(ada, "adabot");
    const key = await tandem.as.key(undefined, ada);
    const none = { friends: false, friendRequest: null, blocked: false };
    const relationship = async (caller: Caller, author: string) =>
      (await caller.readCreator({ platform: "native", author })).creator.relationship;
    const ofBoth = async () => [await relationship(ada, "bob"), await relationship(bob, "ada")];

    const { request } = await ada.requestFriend({ username: "bob" });
    expect(await ofBoth()).toEqual([
      { ...none, friendRequest: { id: request.id, direction: "outgoing" } },
      { ...none, friendRequest: { id: request.id, direction: "incoming" } },
    ]);
    await bob.acceptFriend({ id: request.id });
    expect(await ofBoth()).toEqual([
      { ...none, friends: true },
      { ...none, friends: true },
    ]);
    expect(await relationship(ada, "ada")).toBeNull();
    for (const caller of [tandem.as.anonymous(), agent, key])
      expect(await relationship(caller, "bob")).toBeNull();

    // Only the account that blocks sees the block; a block of a person isn't listed again for each of their agents.
    await ada.block({ username: "bob" });
    expect(await ofBoth()).toEqual([{ ...none, blocked: true }, none]);
    await bob.block({ username: "ada" });
    expect(await relationship(bob, "adabot")).toEqual(none);
    await ada.unblock({ username: "bob" });
    expect(await ofBoth()).toEqual([none, { ...none, blocked: true }]);
  });

  test("shows an agent with its operator as they are now, to everyone", async () => {
    await using tandem = await startTandem();
    const [ada, bob] = [await tandem.as.human("Ada"), await tandem.as.human("bob")];
    const agent = await tandem.as.agent(ada, "digest_bot");
    const target = { platform: "native", author: "digest_bot" } as const;
    const operator = async (caller: Caller) => (await caller.readCreator(target)).creator.operator;
    const { creator } = await agent.readCreator(target);
    expect(creator).toMatchObject({ authorIsAgent: true, following: false });
    expect(creator.operator).toEqual({ username: "Ada", displayName: null });

    const { options } = tandem.as.anonymous();
    const page = (etag = "") =>
      fetch(`${options.baseUrl}/api/creators/native/digest_bot`, { headers: { "if-none-match": etag } });
    const etag = (await page()).headers.get("etag") ?? "";
    expect((await page(etag)).status).toBe(304);
    await ada.editProfile({ displayName: "Ada L." });
    expect((await page(etag)).status).toBe(200);
    const named = { username: "Ada", displayName: "Ada L." };
    expect(await operator(tandem.as.anonymous())).toEqual(named);

    await bob.block({ username: "Ada" });
    expect(await operator(bob)).toEqual(named);
    await makeAdmin(tandem.storage, bob);
    await bob.suspendAccount({ id: ada.user.id, reason: "Spam" });
    expect(await operator(tandem.as.anonymous())).toEqual(named);
    await ada.deleteAccount({ password: ada.password });
    expect((await bob.call("readCreator", target)).status).toBe(404);
  });

  test("shows an imported author as in their latest post that isn't removed", async () => {
    await using tandem = await startTandem();
    const [reader, admin] = [await tandem.as.human(), await tandem.as.human()];
    await makeAdmin(tandem.storage, admin);
    const mary = { platform: "mastodon", author: "mary@example.org" } as const;
    expect((await reader.call("readCreator", mary)).status).toBe(404);
    await reader.follow(mary);
    expect((await reader.readCreator(mary)).creator).toMatchObject({
      postCount: 0,
      followerCount: 1,
      avatarUrl: null,
    });
    const insert = (n: number) =>
      tandem.storage.write((tx) =>
        insertImportedPost(tx, { ...mary, authorAvatarUrl: `https://example.org/${n}.png` }),
      );
    await insert(1);
    const latest = await insert(2);
    expect((await reader.readCreator(mary)).creator).toMatchObject({
      postCount: 2,
      avatarUrl: "https://example.org/2.png",
      bio: null,
      following: true,
      relationship: null,
    });
    expect((await reader.call("readCreator", { ...mary, platform: "lemmy" })).status).toBe(404);
    await admin.removePost({ id: latest, reason: "Spam" });
    expect((await reader.readCreator(mary)).creator.avatarUrl).toBe("https://example.org/1.png");
  });

  test("doesn't count followers whose account was deleted", async () => {
    await using tandem = await startTandem();
    const ada = await tandem.as.human("ada");
    const operator = await tandem.as.human();
    const agent = await tandem.as.agent(operator);
    const target = { platform: "native", author: "ada" } as const;
    await agent.follow(target);
    expect((await ada.readCreator(target)).creator.followerCount).toBe(1);
    await operator.deleteAgent({ id: agent.agent.id });
    expect((await ada.readCreator(target)).creator.followerCount).toBe(0);
  });

  test("shows a pinned post until it is unpinned, replaced or gone", async () => {
    await using tandem = await startTandem();
    const ada = await tandem.as.human("ada");
    const admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
    const pinned = async () =>
      (await admin.readCreator({ platform: "native", author: "ada" })).creator.pinnedPostId;
    const [one, two] = [
      (await ada.createPost({ title: "One" })).post.id,
      (await ada.createPost({ title: "Two" })).post.id,
    ];
    await expect(admin.pinPost({ id: one })).rejects.toMatchObject({ code: "forbidden" });
    await ada.pinPost({ id: one });
    expect(await pinned()).toBe(one);
    await ada.pinPost({ id: two });
    await ada.unpinPost({ id: one });
    expect(await pinned()).toBe(two);
    await admin.removePost({ id: two, reason: "Spam" });
    expect(await pinned()).toBeNull();
    await ada.pinPost({ id: one });
    await ada.deletePost({ id: one });
    expect(await pinned()).toBeNull();
  });

  test("lists the comments of an account, with their posts' titles", async () => {
    await using tandem = await startTandem();
    const [ada, bob, reader] = [
      await tandem.as.human("ada"),
      await tandem.as.human(),
      await tandem.as.human(),
    ];
    const post = (await bob.createPost({ title: "Looms" })).post;
    const other = (await bob.createPost({ title: "Gone" })).post;
    const say = async (id: number, body: string) => (await ada.createComment({ id, body })).comment;
    const [first, second] = [await say(post.id, "First"), await say(post.id, "Second")];
    await say(other.id, "On a post that goes");
    await bob.deletePost({ id: other.id });
    const deleted = await say(post.id, "Deleted");
    await bob.createComment({ id: post.id, body: "A reply", parentId: deleted.id });
    await ada.deleteComment({ id: deleted.id });
    const of = { platform: "native", author: "ADA" } as const;
    const page = await reader.listCreatorComments({ ...of, limit: 1 });
    const on = { postTitle: "Looms", postProvenance: "human", postProvenanceBasis: "declared" };
    expect(page).toEqual({ comments: [{ ...second, ...on }], nextCursor: second.id });
    const next = await reader.listCreatorComments({ ...of, limit: 1, cursor: second.id });
    expect(next).toEqual({ comments: [{ ...first, ...on }], nextCursor: null });
    await ada.block({ username: reader.user.username });
    expect((await reader.listCreatorComments(of)).comments).toEqual([]);
    expect((await tandem.as.anonymous().listCreatorComments(of)).comments).toHaveLength(2);
    await expect(reader.listCreatorComments({ ...of, author: "nobody" })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

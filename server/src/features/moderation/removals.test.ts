import { makeAdmin } from "@tandem/testing/admins";
import type { AgentCaller, Caller, Person } from "@tandem/testing/callers";
import { dump } from "@tandem/testing/dump";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe.each(engines)("moderation removals on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let admin: Person;
  let author: Person;
  let reader: Person;
  beforeAll(async () => {
    tandem = await startTandem(engine);
    [admin, author, reader] = await Promise.all([tandem.as.human(), tandem.as.human(), tandem.as.human()]);
    await makeAdmin(tandem.storage, admin);
  });
  afterAll(() => tandem.stop());

  const reason = "Advertising";
  const code = async (response: Promise<{ status: number; body: Record<string, unknown> }>) => {
    const { status, body } = await response;
    return body.code === undefined ? String(status) : `${status} ${body.code}`;
  };
  const listed = async (caller: Caller, query: object = {}) => {
    const { body } = await caller.call("listPosts", { limit: 50, ...query });
    return (body.posts as { id: number }[]).map(({ id }) => id);
  };

  test("hide a removed post everywhere, and restore it unchanged", async () => {
    const { post } = await author.createPost({ title: "Unheard-of teapots", body: "Cheap." });
    const { id } = post;
    await author.createComment({ id, body: "First." });
    await reader.likePost({ id });
    await reader.savePost({ id });
    await reader.follow({ platform: "native", author: author.user.username });
    const before = await reader.readPost({ id });
    const totals = (await author.analytics()).totals;
    const feeds = [
      ...[{}, { sort: "hot" }, { platform: "native" }, { platform: "native", sort: "hot" }],
      ...[{ q: "unheard" }, { q: "unheard", sort: "hot" }, { provenance: "human" }, { saved: 1 }],
      ...[{ saved: 1, sort: "hot" }, { followed: 1 }, { author: author.user.username }],
    ];
    for (const feed of feeds) expect([feed, (await listed(reader, feed)).includes(id)]).toEqual([feed, true]);

    const { decision } = await admin.removePost({ id, reason });
    expect(decision).toMatchObject({
      act: "remove_post",
      postId: id,
      reason,
      automated: false,
      stands: true,
    });
    for (const feed of feeds)
      expect([feed, (await listed(reader, feed)).includes(id)]).toEqual([feed, false]);
    const touching = [
      reader.call("readPost", { id }),
      author.call("readPost", { id }),
      reader.call("likePost", { id }),
      reader.call("unsavePost", { id }),
      reader.call("viewPost", { id }),
      reader.call("dismissPost", { id }),
      reader.call("listComments", { id }),
      reader.call("listStory", { id }),
      reader.call("createComment", { id, body: "Still there?" }),
      author.call("editPost", { id, title: "Changed" }),
      author.call("deletePost", { id }),
      reader.call("createReport", { postId: id, reason }),
    ];
    for (const response of touching) expect(await code(response)).toBe("404 not_found");
    expect((await author.analytics()).totals.posts).toBe(totals.posts - 1);
    expect(await (await fetch(`${tandem.baseUrl}/feed.rss`)).text()).not.toContain("Unheard-of");

    expect((await admin.removePost({ id, reason: "Again" })).decision).toEqual(decision);
    await author.editProfile({ displayName: "Renamed meanwhile" });
    const restored = (await admin.restorePost({ id })).decision;
    expect(restored).toMatchObject({ id: decision.id, stands: false });
    expect((await admin.restorePost({ id })).decision.id).toBe(decision.id);
    for (const feed of feeds) expect([feed, (await listed(reader, feed)).includes(id)]).toEqual([feed, true]);
    expect(await reader.readPost({ id })).toEqual({
      post: { ...before.post, authorName: "Renamed meanwhile" },
    });
    expect((await author.analytics()).totals).toEqual(totals);
  });

  test("leave the post tables unchanged after a removal and restoration", async () => {
    const { post } = await author.createPost({ title: "There and back", url: "https://example.org/back" });
    const tables = async () => {
      const { posts, post_texts, creators, removed_posts, comments } = await dump(tandem.storage);
      return { posts, post_texts, creators, removed_posts, comments };
    };
    const before = await tables();
    await admin.removePost({ id: post.id, reason });
    expect(await tables()).not.toEqual(before);
    await admin.restorePost({ id: post.id });
    expect(await tables()).toEqual(before);
  });

  once("tell the author why, in the post's error and the decision", async () => {
    const { post } = await author.createPost({ title: "Told of" });
    const { decision } = await admin.removePost({ id: post.id, reason: "It sells teapots." });
    const [latest] = (await author.listNotifications()).notifications;
    expect(latest).toMatchObject({ type: "moderation", decisionId: decision.id, read: false });
    // The decision doesn't show who made it.
    expect(latest?.actor.username).toBe(author.user.username);
    const { decisions } = await author.listDecisions({ limit: 1 });
    expect(decisions[0]).toEqual(decision);
    expect((await author.readDecision({ id: decision.id })).decision.redress).toContain("/api/appeals");
    expect(await code(reader.call("readDecision", { id: decision.id }))).toBe("404 not_found");
    const refused = await author.call("readPost", { id: post.id });
    expect(refused.body.error).toContain("It sells teapots.");
    expect((await reader.call("readPost", { id: post.id })).body.error).not.toContain("teapots");
  });

  test("leave an empty place for a comment, and restore it with its likes", async () => {
    const { post } = await author.createPost({ title: "Talked about" });
    const { comment } = await author.createComment({ id: post.id, body: "Buy my teapots." });
    await reader.likeComment({ id: comment.id });
    const reply = await reader.createComment({ id: post.id, body: "No.", parentId: comment.id });
    const before = await reader.listComments({ id: post.id });
    await admin.removeComment({ id: comment.id, reason });
    const [empty] = (await reader.listComments({ id: post.id })).comments;
    expect(empty).toMatchObject({
      deleted: true,
      body: "",
      username: "[deleted]",
      likeCount: 0,
      liked: false,
    });
    expect((await reader.readPost({ id: post.id })).post.commentCount).toBe(1);
    for (const [name, input] of [
      ["likeComment", {}],
      ["editComment", { body: "Changed" }],
      ["deleteComment", {}],
    ] as const)
      expect(await code(author.call(name, { id: comment.id, ...input }))).toBe("404 not_found");
    // The empty place stays when the last reply goes, because the comment may be restored.
    await reader.deleteComment({ id: reply.comment.id });
    await admin.restoreComment({ id: comment.id });
    const after = await reader.listComments({ id: post.id });
    expect(after.comments).toEqual(before.comments.slice(0, 1));
    expect((await reader.readPost({ id: post.id })).post.commentCount).toBe(1);
  });

  once("count a strike against the key, and withdraw it when restored", async () => {
    const agent: AgentCaller = await tandem.as.agent(author);
    await admin.setKeyTier({ id: agent.keyId, tier: "trusted" });
    const { post } = await agent.createPost({ title: "By a key" });
    const { comment } = await agent.createComment({ id: post.id, body: "By a key, too." });
    const { decision } = await admin.removePost({ id: post.id, reason });
    expect(decision).toMatchObject({ strike: true, username: agent.agent.username });
    expect(await agent.readOwnKey()).toMatchObject({ tier: "probation", strikes: 1 });
    expect((await author.listDecisions({ limit: 1 })).decisions[0]?.id).toBe(decision.id);
    await admin.restorePost({ id: post.id });
    await admin.removeComment({ id: comment.id, reason });
    expect(await agent.readOwnKey()).toMatchObject({ strikes: 1 });
    await admin.restoreComment({ id: comment.id });
    expect(await agent.readOwnKey()).toMatchObject({ strikes: 0 });
  });

  once("return 404 for what no longer exists", async () => {
    const { post } = await author.createPost({ title: "Soon gone" });
    const { comment } = await author.createComment({ id: post.id, body: "Sooner." });
    await author.deleteComment({ id: comment.id });
    expect(await code(admin.call("removeComment", { id: comment.id, reason }))).toBe("404 not_found");
    expect(await code(admin.call("restorePost", { id: post.id }))).toBe("404 not_found");
    await author.deletePost({ id: post.id });
    expect(await code(admin.call("removePost", { id: post.id, reason }))).toBe("404 not_found");
    expect(await code(admin.call("restorePost", { id: post.id }))).toBe("404 not_found");
  });

  test("are deleted with their account, with the empty places", async () => {
    const operator = await tandem.as.human();
    const agent = await tandem.as.agent(operator);
    const { post } = await agent.createPost({ title: "Of one who goes" });
    const { post: theirs } = await author.createPost({ title: "Stays" });
    const { comment } = await agent.createComment({ id: theirs.id, body: "Goes, too." });
    await admin.removePost({ id: post.id, reason });
    await admin.removeComment({ id: comment.id, reason });
    await operator.deleteAgent({ id: agent.agent.id });
    expect(await code(admin.call("restorePost", { id: post.id }))).toBe("404 not_found");
    expect(await code(admin.call("restoreComment", { id: comment.id }))).toBe("404 not_found");
    expect((await reader.listComments({ id: theirs.id })).comments).toEqual([]);
    expect((await reader.readPost({ id: theirs.id })).post.commentCount).toBe(0);
    expect((await dump(tandem.storage)).removed_posts?.some((row) => row.includes(`=${post.id} `))).toBe(
      false,
    );
  });

  test("have one outcome under concurrent removals and deletion", async () => {
    const second = await tandem.as.human();
    await makeAdmin(tandem.storage, second);
    for (let i = 0; i < 6; i++) {
      const agent = await tandem.as.agent();
      const { post } = await agent.createPost({ title: `Wanted gone ${i}` });
      const responses = await Promise.all([
        admin.call("removePost", { id: post.id, reason }),
        second.call("removePost", { id: post.id, reason }),
        ...(i % 2 ? [agent.call("deletePost", { id: post.id })] : []),
        reader.call("likePost", { id: post.id }),
        reader.call("createComment", { id: post.id, body: "In between." }),
      ]);
      for (const { status } of responses) expect([200, 404]).toContain(status);
      const ids = responses
        .slice(0, 2)
        .flatMap(({ body }) => (body.decision as { id: number } | undefined)?.id ?? []);
      expect(new Set(ids).size).toBeLessThan(2);
      expect((await agent.readOwnKey()).strikes).toBe(ids.length === 0 ? 0 : 1);
      expect(await code(reader.call("readPost", { id: post.id }))).toBe("404 not_found");
    }
  });
});

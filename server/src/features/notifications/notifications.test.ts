import type { Caller, Person } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { insertImportedPost } from "@tandem/testing/imported-posts";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

describe.each(engines)("notifications on %s", (engine) => {
  let tandem: Tandem;
  let ada: Person;
  let bob: Person;
  let carol: Person;
  let id: number;
  const clock = stoppedClock(Date.UTC(2026, 0, 31, 12));

  beforeAll(async () => {
    tandem = await startTandem(engine, { now: clock.now });
    [ada, bob, carol] = await Promise.all([
      tandem.as.human("ada"),
      tandem.as.human("bob"),
      tandem.as.human("carol"),
    ]);
    await bob.editProfile({ displayName: "Bob" });
  });
  beforeEach(async () => {
    await tandem.storage.write(async (tx) => {
      await tx.deleteFrom("notifications").execute();
      await tx.updateTable("users").set({ unread: 0 }).execute();
    });
    id = (await ada.createPost({ title: "By ada" })).post.id;
  });
  afterAll(() => tandem.stop());

  const inbox = async (caller: Caller) => {
    const { notifications, unread } = await caller.listNotifications();
    expect(await caller.countNotifications()).toEqual({ unread });
    return {
      told: notifications.map((one) => `${one.type} by ${one.actor.username}`),
      unread,
      notifications,
    };
  };
  const say = async (caller: Caller, parentId: number | null = null) =>
    (await caller.createComment({ id, body: "Said", parentId })).comment.id;

  test("each tells who did what, where and when", async () => {
    const commentId = await say(bob);
    await bob.likePost({ id });
    const actor = { username: "bob", displayName: "Bob", avatarUrl: null, isAgent: false };
    const common = {
      id: expect.any(Number),
      actor,
      postId: id,
      decisionId: null,
      draftId: null,
      keyHint: null,
      read: false,
      createdAt: "2026-01-31T12:00:00.000Z",
    };
    expect((await inbox(ada)).notifications).toEqual([
      { ...common, type: "post_like", commentId: null },
      { ...common, type: "comment", commentId },
    ]);
  });

  test("the one concerned is told, and nobody else", async () => {
    const comment = await say(bob);
    const reply = await say(carol, comment);
    await say(ada, reply);
    await carol.likeComment({ id: comment });
    expect((await inbox(ada)).told).toEqual(["comment by bob"]);
    expect((await inbox(bob)).told).toEqual(["comment_like by carol", "reply by carol"]);
    expect((await inbox(carol)).told).toEqual(["reply by ada"]);
  });

  test("nobody is told of what they did themselves", async () => {
    const comment = await say(ada);
    await say(ada, comment);
    await ada.likePost({ id });
    await ada.likeComment({ id: comment });
    expect(await inbox(ada)).toMatchObject({ told: [], unread: 0 });
  });

  test("an agent and its operator tell one another", async () => {
    const agent = await tandem.as.agent(ada, "robot");
    await agent.likePost({ id });
    const { notifications } = await inbox(ada);
    expect(notifications).toMatchObject([{ type: "post_like", actor: { username: "robot", isAgent: true } }]);
    const { post } = await agent.createPost({ title: "By robot" });
    await ada.likePost({ id: post.id });
    expect((await inbox(agent)).told).toEqual(["post_like by ada"]);
  });

  test("what is repeated tells once; what is taken back tells no more", async () => {
    const comment = await say(ada);
    for (const _ of "abc") {
      await bob.likePost({ id });
      await bob.likeComment({ id: comment });
    }
    expect(await inbox(ada)).toMatchObject({ told: ["comment_like by bob", "post_like by bob"], unread: 2 });
    await bob.unlikePost({ id });
    expect(await inbox(ada)).toMatchObject({ told: ["comment_like by bob"], unread: 1 });
    await bob.unlikeComment({ id: comment });
    await bob.unlikeComment({ id: comment });
    expect(await inbox(ada)).toMatchObject({ told: [], unread: 0 });
    await bob.likePost({ id });
    await ada.readNotifications();
    await carol.likePost({ id });
    await bob.unlikePost({ id });
    expect(await inbox(ada)).toMatchObject({ told: ["post_like by carol"], unread: 1 });
  });

  test("a deleted comment tells no more, nor do likes of it", async () => {
    const comment = await say(bob);
    await say(carol, comment);
    await carol.likeComment({ id: comment });
    await bob.deleteComment({ id: comment });
    expect((await inbox(ada)).told).toEqual([]);
    expect(await inbox(bob)).toMatchObject({ told: ["reply by carol"], unread: 1 });
  });

  test("operators are told how many there were, of what was kept alone", async () => {
    const told = async () => {
      const metrics = await (await fetch(`${tandem.baseUrl}/metrics`)).text();
      return Number(/^tandem_notifications_total\{type="comment"\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
    };
    const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
    const { post } = await ada.createPost({ title: "By ada" });
    const before = await told();
    await bob.call("createComment", { id: post.id, body: "Never" }, { dryRun: true });
    await bob.createComment({ id: post.id, body: "Said" });
    await ada.createComment({ id: post.id, body: "To myself" });
    expect(await told()).toBe(before + 1);
  });

  test("marking all read leaves the list, and counts from new", async () => {
    await say(bob);
    await bob.likePost({ id });
    expect(await ada.readNotifications()).toEqual({ unread: 0 });
    expect((await inbox(ada)).notifications.map((one) => one.read)).toEqual([true, true]);
    await carol.likePost({ id });
    const { notifications, unread } = await inbox(ada);
    expect([unread, ...notifications.map((one) => one.read)]).toEqual([1, false, true, true]);
    // What was read already is not counted off again.
    await bob.unlikePost({ id });
    expect((await inbox(ada)).unread).toBe(1);
    await ada.readNotifications();
    expect(await ada.readNotifications()).toEqual({ unread: 0 });
  });

  test("the latest 50 are shown, newest first; all are counted", async () => {
    for (let i = 0; i < 60; i++) await say(bob);
    const { notifications, unread } = await inbox(ada);
    expect([notifications.length, unread]).toEqual([50, 60]);
    const ids = notifications.map((one) => one.commentId);
    expect(ids).toEqual(ids.toSorted((a, b) => Number(b) - Number(a)));
    await ada.readNotifications();
    expect((await inbox(ada)).unread).toBe(0);
  });

  test("parallel happenings are counted exactly", async () => {
    const agents = await Promise.all([1, 2, 3, 4, 5].map(() => tandem.as.agent(carol)));
    await Promise.all([...agents, bob, carol].flatMap((one) => [one.likePost({ id }), say(one)]));
    expect((await inbox(ada)).unread).toBe(14);
  });

  test("a key without scopes reads them and marks them read", async () => {
    const key = await tandem.as.key([], ada);
    await bob.likePost({ id });
    expect((await inbox(key)).told).toEqual(["post_like by bob"]);
    expect(await key.readNotifications()).toEqual({ unread: 0 });
    expect((await inbox(ada)).unread).toBe(0);
  });

  test("authors elsewhere are told nothing", async () => {
    const gathered = await tandem.storage.write((tx) => insertImportedPost(tx, { title: "From afar" }));
    await bob.likePost({ id: gathered });
    await bob.createComment({ id: gathered, body: "Hello?" });
    expect(await tandem.storage.read.selectFrom("notifications").selectAll().execute()).toEqual([]);
  });
});

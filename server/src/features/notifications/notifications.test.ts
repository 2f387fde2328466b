import { makeAdmin } from "@tandem/testing/admins";
import type { Caller, Person } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { insertImportedPost } from "@tandem/testing/imported-posts";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { counterRules } from "../../cli/check/counters.ts";
import { checkRule } from "../../cli/check/run-rule.ts";

describe.each(engines)("notifications on %s", (engine) => {
  const once = testOnce(engine);
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
      summaries: notifications.map(({ type, actor }) => `${type} by ${actor.username}`),
      unread,
      notifications,
    };
  };
  const say = async (caller: Caller, parentId: number | null = null) =>
    (await caller.createComment({ id, body: "Said", parentId })).comment.id;

  once("say who did what, where and when", async () => {
    const commentId = await say(bob);
    await bob.likePost({ id });
    const actor = { username: "bob", displayName: "Bob", avatarUrl: null, isAgent: false };
    const common = {
      id: expect.any(Number),
      actor,
      byAi: false,
      postId: id,
      excerptProvenance: "human",
      excerptProvenanceBasis: "declared",
      decisionId: null,
      draftId: null,
      approval: null,
      keyHint: null,
      community: null,
      read: false,
      createdAt: "2026-01-31T12:00:00.000Z",
    };
    expect((await inbox(ada)).notifications).toEqual([
      { ...common, type: "post_like", commentId: null, excerpt: "By ada" },
      { ...common, type: "comment", commentId, excerpt: "Said" },
    ]);
  });

  once("reach the recipient only", async () => {
    const comment = await say(bob);
    const reply = await say(carol, comment);
    await say(ada, reply);
    await carol.likeComment({ id: comment });
    expect((await inbox(ada)).summaries).toEqual(["comment by bob"]);
    expect((await inbox(bob)).summaries).toEqual(["comment_like by carol", "reply by carol"]);
    expect((await inbox(carol)).summaries).toEqual(["reply by ada"]);
  });

  once("aren't sent for an account's own actions", async () => {
    const comment = await say(ada);
    await say(ada, comment);
    await ada.likePost({ id });
    await ada.likeComment({ id: comment });
    expect(await inbox(ada)).toMatchObject({ summaries: [], unread: 0 });
  });

  once("are sent between an agent and its operator", async () => {
    const agent = await tandem.as.agent(ada, "robot");
    await agent.likePost({ id });
    const { notifications } = await inbox(ada);
    expect(notifications).toMatchObject([{ type: "post_like", actor: { username: "robot", isAgent: true } }]);
    const { post } = await agent.createPost({ title: "By robot" });
    await ada.likePost({ id: post.id });
    expect((await inbox(agent)).summaries).toEqual(["post_like by ada"]);
  });

  once("are sent once for repeated actions, and removed for undone ones", async () => {
    const comment = await say(ada);
    for (const _ of "abc") {
      await bob.likePost({ id });
      await bob.likeComment({ id: comment });
    }
    expect(await inbox(ada)).toMatchObject({
      summaries: ["comment_like by bob", "post_like by bob"],
      unread: 2,
    });
    await bob.unlikePost({ id });
    expect(await inbox(ada)).toMatchObject({ summaries: ["comment_like by bob"], unread: 1 });
    await bob.unlikeComment({ id: comment });
    await bob.unlikeComment({ id: comment });
    expect(await inbox(ada)).toMatchObject({ summaries: [], unread: 0 });
    await bob.likePost({ id });
    await ada.markNotificationsRead();
    await carol.likePost({ id });
    await bob.unlikePost({ id });
    expect(await inbox(ada)).toMatchObject({ summaries: ["post_like by carol"], unread: 1 });
  });

  test("are removed with a deleted comment and its likes", async () => {
    const comment = await say(bob);
    await say(carol, comment);
    await carol.likeComment({ id: comment });
    await bob.deleteComment({ id: comment });
    expect((await inbox(ada)).summaries).toEqual([]);
    expect(await inbox(bob)).toMatchObject({ summaries: ["reply by carol"], unread: 1 });
  });

  test("are counted in the metrics after the commit only", async () => {
    const total = async () => {
      const metrics = await (await fetch(`${tandem.baseUrl}/metrics`)).text();
      return Number(/^tandem_notifications_total\{type="comment"\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
    };
    const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
    const { post } = await ada.createPost({ title: "By ada" });
    const before = await total();
    await bob.call("createComment", { id: post.id, body: "Never" }, { dryRun: true });
    await bob.createComment({ id: post.id, body: "Said" });
    await ada.createComment({ id: post.id, body: "To myself" });
    expect(await total()).toBe(before + 1);
  });

  once("can all be marked as read, which keeps the list and resets the count", async () => {
    await say(bob);
    await bob.likePost({ id });
    expect(await ada.markNotificationsRead()).toEqual({ unread: 0 });
    expect((await inbox(ada)).notifications.map(({ read }) => read)).toEqual([true, true]);
    await carol.likePost({ id });
    const { notifications, unread } = await inbox(ada);
    expect([unread, ...notifications.map(({ read }) => read)]).toEqual([1, false, true, true]);
    // Removing a notification that was already read doesn't change the count.
    await bob.unlikePost({ id });
    expect((await inbox(ada)).unread).toBe(1);
    await ada.markNotificationsRead();
    expect(await ada.markNotificationsRead()).toEqual({ unread: 0 });
  });

  test("list the latest 50, newest first, then the rest, and count all", async () => {
    for (let i = 0; i < 60; i++) await say(bob);
    const { notifications, unread, nextCursor } = await ada.listNotifications();
    expect([notifications.length, unread]).toEqual([50, 60]);
    const { notifications: rest, nextCursor: end } = await ada.listNotifications({ cursor: nextCursor ?? 0 });
    expect([rest.length, end]).toEqual([10, null]);
    const ids = [...notifications, ...rest].map(({ commentId }) => commentId);
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => Number(b) - Number(a)));
    await ada.markNotificationsRead();
    expect((await inbox(ada)).unread).toBe(0);
  });

  test("can be marked as read up to one of them, and the unread ones listed alone", async () => {
    for (const caller of [bob, carol]) await caller.likePost({ id });
    for (let i = 0; i < 4; i++) await say(bob);
    const ids = (await inbox(ada)).notifications.map((notification) => notification.id);
    const [newest = 0, second = 0, third = 0] = ids;
    expect(await ada.markNotificationsRead({ upTo: third })).toEqual({ unread: 2 });
    expect((await inbox(ada)).notifications.map(({ read }) => read)).toEqual(
      ids.map((notification) => notification <= third),
    );
    const unread = await ada.listNotifications({ unread: 1, limit: 1 });
    expect(unread).toMatchObject({ notifications: [{ id: newest }], nextCursor: newest });
    const last = await ada.listNotifications({ unread: 1, limit: 1, cursor: newest });
    expect(last).toMatchObject({ notifications: [{ id: second }], nextCursor: null });
    // What was read stays read, and what hasn't happened yet doesn't count as read.
    expect(await ada.markNotificationsRead({ upTo: 1 })).toEqual({ unread: 2 });
    expect(await ada.markNotificationsRead({ upTo: Number.MAX_SAFE_INTEGER })).toEqual({ unread: 0 });
    await say(bob);
    expect((await inbox(ada)).unread).toBe(1);
  });

  test("can be marked as read one by one", async () => {
    await carol.likePost({ id });
    for (let i = 0; i < 3; i++) await say(bob);
    const ids = (await inbox(ada)).notifications.map((notification) => notification.id);
    const [newest = 0, second = 0, third = 0, oldest = 0] = ids;
    const foreign = await say(ada);
    await bob.likeComment({ id: foreign });
    await carol.markNotificationsRead();
    const unreadIds = async (type?: string) => {
      const { notifications } = await ada.listNotifications({ unread: 1, ...(type && { type }) });
      expect(notifications.every(({ read }) => !read)).toBe(true);
      return notifications.map((notification) => notification.id);
    };
    const [like = 0] = await unreadIds("comment_like");
    expect(await ada.markNotificationsRead({ ids: [second, second, like] })).toEqual({ unread: 3 });
    expect(await unreadIds()).toEqual([newest, third, oldest]);
    expect(await unreadIds("comment")).toEqual([newest, third]);
    expect((await inbox(ada)).notifications.map(({ read }) => read)).toEqual([
      true,
      false,
      true,
      false,
      false,
    ]);
    // Again, someone else's, and one that doesn't exist.
    expect(await ada.markNotificationsRead({ ids: [second] })).toEqual({ unread: 3 });
    expect(await bob.markNotificationsRead({ ids: [newest] })).toEqual({ unread: 0 });
    expect(await ada.markNotificationsRead({ ids: [Number.MAX_SAFE_INTEGER] })).toEqual({ unread: 3 });
    expect(await ada.markNotificationsRead({ ids: [] })).toEqual({ unread: 3 });
    const problems: string[] = [];
    for (const rule of counterRules.filter(({ what }) => /unread notifications/.test(what)))
      await checkRule(rule, tandem.storage.read, null, (problem) => problems.push(problem));
    expect(problems).toEqual([]);
    // One that was opened isn't subtracted again when it is undone, nor when the marker passes it.
    await bob.unlikeComment({ id: foreign });
    expect((await inbox(ada)).unread).toBe(3);
    expect(await ada.markNotificationsRead({ upTo: oldest })).toEqual({ unread: 2 });
    expect(await ada.markNotificationsRead({ ids: [newest], upTo: second })).toEqual({ unread: 0 });
    expect(await unreadIds()).toEqual([]);
    expect(await unreadIds("comment")).toEqual([]);
  });

  test("can be listed by type, in pages of one order", async () => {
    const own = await say(ada);
    for (const caller of [bob, carol]) {
      await caller.likePost({ id });
      await say(caller, own);
      await caller.createComment({ id, body: "Ask @ada." });
    }
    const list = async (input: Parameters<Person["listNotifications"]>[0]) => {
      const { notifications, nextCursor } = await ada.listNotifications(input);
      return { types: notifications.map(({ type, actor }) => `${type} ${actor.username}`), nextCursor };
    };
    expect(await list({ type: "post_like" })).toEqual({
      types: ["post_like carol", "post_like bob"],
      nextCursor: null,
    });
    const first = await list({ type: "reply,post_like", limit: 3 });
    expect(first.types).toEqual(["reply carol", "post_like carol", "reply bob"]);
    const rest = await list({ type: "reply,post_like", limit: 3, cursor: first.nextCursor ?? 0 });
    expect(rest).toEqual({ types: ["post_like bob"], nextCursor: null });
    await ada.markNotificationsRead();
    await bob.unlikePost({ id });
    await bob.likePost({ id });
    expect(await list({ type: "reply,post_like", unread: 1 })).toMatchObject({ types: ["post_like bob"] });
    expect(await list({ type: "approval_wanted" })).toEqual({ types: [], nextCursor: null });
    const refused = await ada.call("listNotifications", { type: "likes" });
    expect(refused).toMatchObject({ status: 400, body: { code: "invalid_input", field: "type" } });
  });

  once("quote what was said, unless it was removed, is behind a block, or is hidden AI content", async () => {
    const [reader, writer] = [await tandem.as.human(), await tandem.as.human()];
    const agent = await tandem.as.agent(writer);
    const admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
    const name = reader.user.username;
    const { post } = await writer.createPost({ title: "Looms", body: `Ask @${name}\n\n  about them.` });
    const { post: own } = await reader.createPost({ title: "Mine" });
    const { comment } = await agent.createComment({ id: own.id, body: "By an agent" });
    await writer.createComment({ id: own.id, body: `${"x".repeat(198)}👩‍👩‍👧 and more` });
    await writer.likePost({ id: own.id });
    const excerpts = async () =>
      (await reader.listNotifications()).notifications.map(({ excerpt }) => excerpt);
    const quoted = ["Mine", `${"x".repeat(198)}…`, "By an agent", `Looms · Ask @${name} about them.`];
    expect(await excerpts()).toEqual(quoted);
    await reader.editPreferences({ aiComments: "hide" });
    expect(await excerpts()).toEqual(quoted.with(2, null as never));
    await reader.editPreferences({ aiComments: "show" });
    await admin.removeComment({ id: comment.id, reason: "Advertising" });
    expect(await excerpts()).toEqual(quoted.with(2, null as never));
    await admin.restoreComment({ id: comment.id });
    await admin.removePost({ id: post.id, reason: "Advertising" });
    expect(await excerpts()).toEqual(quoted.with(3, null as never));
    // A block of the operator covers the agent, and not the reader's own text.
    await reader.block({ username: writer.user.username });
    expect(await excerpts()).toEqual(["Mine", null, null, null]);
  });

  once("say who wrote what they quote, as it is now", async () => {
    const [reader, writer] = [await tandem.as.human(), await tandem.as.human()];
    const { post } = await reader.createPost({ title: "Looms", provenance: "ai_assisted" });
    const { comment } = await writer.createComment({ id: post.id, body: "By hand" });
    await writer.likePost({ id: post.id });
    const quotes = async () =>
      (await reader.listNotifications()).notifications.map(
        ({ byAi, excerpt, excerptProvenance, excerptProvenanceBasis }) =>
          `${byAi} ${excerpt} ${excerptProvenance} ${excerptProvenanceBasis}`,
      );
    const like = "false Looms ai_assisted declared";
    expect(await quotes()).toEqual([like, "false By hand human declared"]);
    const key = await tandem.as.key(["comments:write"], writer);
    await key.editComment({ id: comment.id, body: "By a key" });
    expect(await quotes()).toEqual([like, "false By a key ai_generated stamped"]);
    await writer.deleteComment({ id: comment.id });
    expect(await quotes()).toEqual([like]);
  });

  test("are counted exactly for parallel actions", async () => {
    const agents = await Promise.all([1, 2, 3, 4, 5].map(() => tandem.as.agent(carol)));
    await Promise.all([...agents, bob, carol].flatMap((caller) => [caller.likePost({ id }), say(caller)]));
    expect((await inbox(ada)).unread).toBe(14);
  });

  once("can be read and marked as read by a key without scopes", async () => {
    const key = await tandem.as.key([], ada);
    await bob.likePost({ id });
    expect((await inbox(key)).summaries).toEqual(["post_like by bob"]);
    expect(await key.markNotificationsRead()).toEqual({ unread: 0 });
    expect((await inbox(ada)).unread).toBe(0);
  });

  once("aren't sent to authors on other platforms", async () => {
    const imported = await tandem.storage.write((tx) => insertImportedPost(tx, { title: "From afar" }));
    await bob.likePost({ id: imported });
    await bob.createComment({ id: imported, body: "Hello?" });
    expect(await tandem.storage.read.selectFrom("notifications").selectAll().execute()).toEqual([]);
  });
});

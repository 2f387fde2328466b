import { limits } from "@tandem/contract/limits";
import { addBulkUsers } from "@tandem/testing/bulk-users";
import type { Caller, Person } from "@tandem/testing/callers";
import { lowestCpuTime } from "@tandem/testing/measure";
import { engines, manyConnections, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { mentionedNames } from "./mentions.ts";

test("finds names after an @ that isn't part of an address or a longer word", async () => {
  expect(mentionedNames("@Ada and (@bob_2), thanks @c-d.e.")).toEqual(["ada", "bob_2", "c-d.e.", "c-d.e"]);
  for (const text of [
    "ada@example.org",
    "@ ada",
    "@a",
    "ä@ada",
    "@@ada",
    "x/@ada",
    `@${"x".repeat(41)}`,
    "plain",
  ])
    expect([text, mentionedNames(text)]).toEqual([text, []]);
  const slow = "@".repeat(10_000) + "@-.".repeat(3000);
  expect(await lowestCpuTime(1000, () => mentionedNames(slow))).toBeLessThan(1000);
});

describe.each(engines)("mentions and hashtags on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let ada: Person;
  let bob: Person;
  beforeAll(async () => {
    tandem = await startTandem(engine, { env: manyConnections });
  });
  beforeEach(async () => {
    [ada, bob] = await Promise.all([tandem.as.human(), tandem.as.human()]);
  });
  afterAll(() => tandem.stop());

  const notificationsOf = async (caller: Caller) =>
    (await caller.listNotifications()).notifications.map(({ type, postId, commentId }) => [
      type,
      postId,
      commentId,
    ]);

  test("notifies each mentioned account once, ignoring case, but never the author", async () => {
    const name = bob.user.username;
    const { post } = await ada.createPost({
      title: `For @${name.toUpperCase()}`,
      body: `@${name}, @${ada.user.username} and @missing_account: look.`,
    });
    expect(await notificationsOf(bob)).toEqual([["mention", post.id, null]]);
    expect(await notificationsOf(ada)).toEqual([]);
    await ada.deletePost({ id: post.id });
    expect(await notificationsOf(bob)).toEqual([]);
  });

  once("a comment notifies mentioned accounts, but the author that it replies to only once", async () => {
    const { post } = await ada.createPost({ title: "By Ada" });
    const carol = await tandem.as.human();
    const names = [ada, carol].map(({ user }) => `@${user.username}`).join(" ");
    const { comment } = await bob.createComment({ id: post.id, body: `${names}: look.` });
    expect(await notificationsOf(ada)).toEqual([["comment", post.id, comment.id]]);
    expect(await notificationsOf(carol)).toEqual([["mention", post.id, comment.id]]);
  });

  test("comments that mention each other's authors don't deadlock", async () => {
    const posts = await Promise.all(
      [ada, bob].map(async (author) => (await author.createPost({ title: "Said" })).post),
    );
    const crowd = await addBulkUsers(tandem.storage, 8);
    const deadlocks = async () => {
      const query = sql<{ deadlocks: string }>`
        select deadlocks from pg_stat_database where datname = current_database()`;
      return (await query.execute(tandem.storage.read)).rows[0]?.deadlocks;
    };
    const before = engine === "postgres" && (await deadlocks());
    const commenting = crowd.map(async ({ cookie }, n) => {
      const caller = tandem.as.with({ cookie });
      for (let i = 0; i < 6; i++) {
        const [post, other] = n % 2 ? [posts[0], bob] : [posts[1], ada];
        await caller.createComment({ id: post?.id ?? 0, body: `@${other.user.username}: ${n}, ${i}` });
      }
    });
    await Promise.all(commenting);
    expect(engine === "postgres" && (await deadlocks())).toBe(before);
  });

  once("doesn't notify accounts separated from the author by a block", async () => {
    const [author, shy] = await Promise.all([tandem.as.human(), tandem.as.human()]);
    await shy.block({ username: author.user.username });
    await author.createPost({ title: `Listen, @${shy.user.username}` });
    expect((await shy.countNotifications()).unread).toBe(0);
  });

  once("repeated edits notify each account once, and no more accounts than one text can", async () => {
    const { post } = await ada.createPost({ title: `@${bob.user.username}` });
    const { comment } = await ada.createComment({ id: post.id, body: `@${bob.user.username}` });
    for (const body of ["", `@${bob.user.username}`, "-", `@${bob.user.username}`]) {
      await ada.editPost({ id: post.id, title: `T ${body}` });
      await ada.editComment({ id: comment.id, body: `C ${body}` });
    }
    expect(await notificationsOf(bob)).toEqual([
      ["mention", post.id, comment.id],
      ["mention", post.id, null],
    ]);
    const crowd = await addBulkUsers(tandem.storage, limits.mentions + 2);
    const names = crowd.map(({ username }) => `@${username}`);
    for (const body of [names.slice(0, 6).join(" "), names.slice(6).join(" ")])
      await ada.editPost({ id: post.id, body });
    const notified = await Promise.all(
      crowd.map(({ cookie }) => notificationsOf(tandem.as.with({ cookie }))),
    );
    expect(notified.flat()).toHaveLength(limits.mentions - 1);
  });

  test("an edit notifies only newly mentioned accounts", async () => {
    const carol = await tandem.as.human();
    const [toBob, toCarol] = [bob, carol].map(({ user }) => `@${user.username}`);
    const { post } = await ada.createPost({ title: "To all", body: toBob });
    await ada.editPost({ id: post.id, body: `${toBob} ${toCarol}` });
    const { comment } = await ada.createComment({ id: post.id, body: `${toBob}!` });
    await ada.editComment({ id: comment.id, body: `${toBob}! ${toCarol}!` });
    const both = [
      ["mention", post.id, comment.id],
      ["mention", post.id, null],
    ];
    expect([await notificationsOf(bob), await notificationsOf(carol)]).toEqual([both, both]);
  });

  once("notifies an account once that is mentioned, removed and mentioned again", async () => {
    const [ada, bob] = await Promise.all([tandem.as.human(), tandem.as.human()]);
    const [without, within] = ["Nobody here", `Hello @${bob.user.username}`];
    const { post } = await ada.createPost({ title: without });
    const { comment } = await ada.createComment({ id: post.id, body: without });
    for (const words of [within, without, within]) {
      await ada.editPost({ id: post.id, title: words });
      await ada.editComment({ id: comment.id, body: words });
    }
    const { notifications } = await bob.listNotifications();
    expect(notifications.map(({ commentId }) => commentId)).toEqual([comment.id, null]);
  });

  once("notifies only the first mentioned accounts, up to the limit", async () => {
    const people = await Promise.all(Array.from({ length: 11 }, () => tandem.as.human()));
    await ada.createPost({ title: "To all", body: people.map(({ user }) => `@${user.username}`).join(" ") });
    const counts = await Promise.all(people.map(async (person) => (await notificationsOf(person)).length));
    expect(counts).toEqual([...Array(10).fill(1), 0]);
  });

  test("finds hashtags like any other word", async () => {
    const { post } = await ada.createPost({ title: "Weaving", body: "On #Looms and #c3." });
    const found = async (q: string) => (await bob.listPosts({ q })).posts.map(({ id }) => id);
    expect(await found("#looms")).toEqual([post.id]);
    expect(await found("#looms #c3")).toEqual([post.id]);
    expect(await found("#weaving")).toEqual([]);
    expect(await found("#c3 engines")).toEqual([]);
  });
});

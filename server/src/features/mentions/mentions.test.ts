import { limits } from "@tandem/contract/limits";
import { addBulkUsers } from "@tandem/testing/bulk-users";
import type { Caller, Person } from "@tandem/testing/callers";
import { lowestCpuTime } from "@tandem/testing/measure";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { namesIn } from "./mentions.ts";

test("a name is what stands behind an @, and no part of an address or a longer word", async () => {
  expect(namesIn("@Ada and (@bob_2), thanks @c-d.e.")).toEqual(["ada", "bob_2", "c-d.e.", "c-d.e"]);
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
    expect([text, namesIn(text)]).toEqual([text, []]);
  const slow = "@".repeat(10_000) + "@-.".repeat(3000);
  expect(await lowestCpuTime(1000, () => namesIn(slow))).toBeLessThan(1000);
});

describe.each(engines)("mentions and hashtags on %s", (engine) => {
  let tandem: Tandem;
  let ada: Person;
  let bob: Person;
  beforeAll(async () => {
    tandem = await startTandem(engine);
  });
  beforeEach(async () => {
    [ada, bob] = await Promise.all([tandem.as.human(), tandem.as.human()]);
  });
  afterAll(() => tandem.stop());

  const told = async (caller: Caller) =>
    (await caller.listNotifications()).notifications.map((one) => [one.type, one.postId, one.commentId]);

  test("whoever is named in a post is told once, in whatever case; nobody of oneself", async () => {
    const name = bob.user.username;
    const { post } = await ada.createPost({
      title: `For @${name.toUpperCase()}`,
      body: `@${name}, @${ada.user.username} and @nobody_here: look.`,
    });
    expect(await told(bob)).toEqual([["mention", post.id, null]]);
    expect(await told(ada)).toEqual([]);
    await ada.deletePost({ id: post.id });
    expect(await told(bob)).toEqual([]);
  });

  test("a comment tells those it names, but not twice whom it answers", async () => {
    const { post } = await ada.createPost({ title: "By Ada" });
    const carol = await tandem.as.human();
    const names = [ada, carol].map(({ user }) => `@${user.username}`).join(" ");
    const { comment } = await bob.createComment({ id: post.id, body: `${names}: look.` });
    expect(await told(ada)).toEqual([["comment", post.id, comment.id]]);
    expect(await told(carol)).toEqual([["mention", post.id, comment.id]]);
  });

  test("comments that name each other's authors never wait in a ring", async () => {
    const posts = await Promise.all(
      [ada, bob].map(async (author) => (await author.createPost({ title: "Said" })).post),
    );
    const crowd = await addBulkUsers(tandem.storage, 8);
    const deadlocks = async () => {
      const told = sql<{ deadlocks: string }>`
        select deadlocks from pg_stat_database where datname = current_database()`;
      return (await told.execute(tandem.storage.read)).rows[0]?.deadlocks;
    };
    const before = engine === "postgres" && (await deadlocks());
    const saying = crowd.map(async ({ cookie }, n) => {
      const one = tandem.as.with({ cookie });
      for (let i = 0; i < 6; i++) {
        const [post, other] = n % 2 ? [posts[0], bob] : [posts[1], ada];
        await one.createComment({ id: post?.id ?? 0, body: `@${other.user.username}: ${n}, ${i}` });
      }
    });
    await Promise.all(saying);
    expect(engine === "postgres" && (await deadlocks())).toBe(before);
  });

  test("whom a block keeps apart from the author isn't told", async () => {
    const [author, shy] = await Promise.all([tandem.as.human(), tandem.as.human()]);
    await shy.block({ username: author.user.username });
    await author.createPost({ title: `Listen, @${shy.user.username}` });
    expect((await shy.countNotifications()).unread).toBe(0);
  });

  test("edits that name somebody again and again tell once, and no more people than a text does", async () => {
    const { post } = await ada.createPost({ title: `@${bob.user.username}` });
    const { comment } = await ada.createComment({ id: post.id, body: `@${bob.user.username}` });
    for (const body of ["", `@${bob.user.username}`, "-", `@${bob.user.username}`]) {
      await ada.editPost({ id: post.id, title: `T ${body}` });
      await ada.editComment({ id: comment.id, body: `C ${body}` });
    }
    expect(await told(bob)).toEqual([
      ["mention", post.id, comment.id],
      ["mention", post.id, null],
    ]);
    const crowd = await addBulkUsers(tandem.storage, limits.mentions + 2);
    const names = crowd.map(({ username }) => `@${username}`);
    for (const body of [names.slice(0, 6).join(" "), names.slice(6).join(" ")])
      await ada.editPost({ id: post.id, body });
    const heard = await Promise.all(crowd.map(({ cookie }) => told(tandem.as.with({ cookie }))));
    expect(heard.flat()).toHaveLength(limits.mentions - 1);
  });

  test("an edit tells only those whom it names anew", async () => {
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
    expect([await told(bob), await told(carol)]).toEqual([both, both]);
  });

  test("who is named, taken out and named again is told once", async () => {
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

  test("of very many names the first few are told", async () => {
    const people = await Promise.all(Array.from({ length: 11 }, () => tandem.as.human()));
    await ada.createPost({ title: "To all", body: people.map(({ user }) => `@${user.username}`).join(" ") });
    const counts = await Promise.all(people.map(async (one) => (await told(one)).length));
    expect(counts).toEqual([...Array(10).fill(1), 0]);
  });

  test("a hashtag is found as any word is", async () => {
    const { post } = await ada.createPost({ title: "Weaving", body: "On #Looms and #c3." });
    const found = async (q: string) => (await bob.listPosts({ q })).posts.map(({ id }) => id);
    expect(await found("#looms")).toEqual([post.id]);
    expect(await found("#looms #c3")).toEqual([post.id]);
    expect(await found("#weaving")).toEqual([]);
    expect(await found("#c3 engines")).toEqual([]);
  });
});

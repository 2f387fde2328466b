import { limits } from "@tandem/contract/limits";
import type { Post } from "@tandem/contract/post-resources";
import { makeAdmin } from "@tandem/testing/admins";
import type { Caller } from "@tandem/testing/callers";
import { insertCreators, insertImportedPost } from "@tandem/testing/imported-posts";
import { oldestBinaries, startPostgres } from "@tandem/testing/postgres-server";
import { engines, startTandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { feedIds } from "./feed-ids.ts";
import { selectionOf } from "./feed-query.ts";

const idsOf = (posts: readonly Post[]) => posts.map(({ id }) => id);
const followed = async (reader: Caller, more = {}) =>
  (await reader.listPosts({ followed: 1, limit: 50, ...more })).posts;

describe.each(engines)("the feed of those one follows, on %s", (engine) => {
  test("has posts with followed hashtags, as every feed shows them, and says why", async () => {
    await using tandem = await startTandem(engine);
    const [reader, ada, bob, admin] = [
      await tandem.as.human(),
      await tandem.as.human(),
      await tandem.as.human(),
      await tandem.as.human(),
    ];
    await makeAdmin(tandem.storage, admin);
    const create = async (by: Caller, input: { title: string; body?: string; sensitive?: boolean }) =>
      (await by.createPost(input)).post.id;
    const old = await create(ada, { title: "On #Café", body: "and #weaving" });
    await create(ada, { title: "No tag", body: "`#weaving` is code, and weaving a word" });
    expect(await followed(reader)).toEqual([]);
    expect(await reader.followTag({ tag: "#CAFE" })).toEqual({ following: true });
    await reader.followTag({ tag: "Weaving" });
    await reader.followTag({ tag: "weaving" });
    expect((await reader.listFollowedTags()).tags).toEqual([{ name: "CAFE" }, { name: "Weaving" }]);
    const agent = await tandem.as.agent(bob);
    const byAgent = await create(agent, { title: "A #weaving agent" });
    const sensitive = await create(bob, { title: "#weaving", body: "Bare", sensitive: true });
    const imported = await tandem.storage.write((tx) =>
      insertImportedPost(tx, { platform: "mastodon", community: "weaving", title: "Imported" }),
    );
    const all = [imported, sensitive, byAgent, old];
    const posts = await followed(reader);
    expect(posts.map(({ id, followedTag }) => [id, followedTag])).toEqual(
      all.map((id) => [id, id === old ? "CAFE" : "Weaving"]),
    );
    // A search for a hashtag finds the same posts.
    const found = async (q: string, more = {}) => idsOf((await bob.listPosts({ q, ...more })).posts);
    expect(await found("#WEAVING")).toEqual(all);
    expect(await found("#cafe #weaving")).toEqual([old]);
    expect(await found("agent #weaving")).toEqual([byAgent]);
    for (const more of [
      { sort: "hot" },
      { since: "2020-01-01" },
      { platform: "native" },
      { q: "#Weaving a" },
    ])
      expect((await found("#weaving", more)).toSorted(), JSON.stringify(more)).toEqual(
        expect.arrayContaining([byAgent]),
      );
    expect((await found("#weaving", { sort: "hot" })).toSorted()).toEqual(all.toSorted());
    expect(await found("#weav")).toEqual([]);
    // Each once, even for several reasons. A followed creator needs no other reason.
    await reader.follow({ platform: "native", author: ada.user.username });
    expect((await followed(reader)).find(({ id }) => id === old)?.followedTag).toBeUndefined();
    expect(idsOf(await followed(reader)).filter((id) => id === old)).toHaveLength(1);
    await reader.unfollow({ platform: "native", author: ada.user.username });
    for (const more of [{ sort: "hot" }, { q: "weaving" }, { since: "2020-01-01" }])
      expect(idsOf(await followed(reader, more)), JSON.stringify(more)).toEqual(
        expect.arrayContaining([sensitive, byAgent]),
      );
    const hidden = async (without: number) =>
      expect(idsOf(await followed(reader))).toEqual(all.filter((id) => id !== without));
    await reader.editPreferences({ aiPosts: "hide" });
    await hidden(byAgent);
    await reader.editPreferences({ aiPosts: "show", sensitivePosts: "hide" });
    await hidden(sensitive);
    await reader.editPreferences({ sensitivePosts: "warn" });
    await reader.mute({ platform: "native", author: ada.user.username });
    await hidden(old);
    await reader.unmute({ platform: "native", author: ada.user.username });
    await reader.block({ username: ada.user.username });
    await hidden(old);
    await reader.unblock({ username: ada.user.username });
    await admin.removePost({ id: old, reason: "spam" });
    await hidden(old);
    await admin.restorePost({ id: old });
    await reader.dismissPost({ id: imported });
    await hidden(imported);
    await ada.editPost({ id: old, title: "On tea", body: "without" });
    expect(idsOf(await followed(reader))).toEqual([sensitive, byAgent]);
    await ada.editPost({ id: old, title: "On #cafe" });
    expect(idsOf(await followed(reader))).toEqual([sensitive, byAgent, old]);
    await reader.unfollowTag({ tag: "wEAVING" });
    expect(idsOf(await followed(reader))).toEqual([old]);
    await ada.deletePost({ id: old });
    expect(await reader.unfollowTag({ tag: "café" })).toEqual({ following: false });
    expect(await reader.unfollowTag({ tag: "café" })).toEqual({ following: false });
    expect(await followed(reader)).toEqual([]);
    expect(await followed(ada)).toEqual([]);
  });

  test("has posts of followed communities, which joining follows", async () => {
    await using tandem = await startTandem(engine);
    const [ada, bob, reader] = [await tandem.as.human(), await tandem.as.human(), await tandem.as.human()];
    await ada.createCommunity({ name: "weaving" });
    const { post } = await ada.createPost({ title: "Warp", community: "weaving" });
    const imported = async (platform: "lemmy" | "reddit") =>
      tandem.storage.write((tx) => insertImportedPost(tx, { platform, community: "Weaving", title: "Weft" }));
    const [lemmy] = [await imported("lemmy"), await imported("reddit")];
    const { platform, community } = { platform: "native", community: "Weaving" } as const;
    const native = { platform: "native", community: "weaving" };
    await bob.joinCommunity({ name: "weaving" });
    expect((await bob.listFollowedCommunities()).communities).toEqual([native]);
    expect(idsOf(await followed(bob))).toEqual([post.id]);
    await bob.unfollowCommunity({ platform, community });
    expect(await followed(bob)).toEqual([]);
    expect((await bob.readCommunity({ name: "weaving" })).community.role).toBe("member");
    await bob.followCommunity({ platform, community });
    await bob.leaveCommunity({ name: "weaving" });
    expect((await bob.listFollowedCommunities()).communities).toEqual([]);
    await bob.joinCommunity({ name: "weaving" });
    await ada.banFromCommunity({ name: "weaving", username: bob.user.username, reason: "spam" });
    expect((await bob.listFollowedCommunities()).communities).toEqual([]);
    // Without joining, and on another platform.
    await reader.followCommunity({ platform, community });
    await reader.followCommunity({ platform: "lemmy", community: "WEAVING" });
    expect((await reader.listFollowedCommunities()).communities).toEqual(
      expect.arrayContaining([native, { platform: "lemmy", community: "WEAVING" }]),
    );
    for (const more of [{}, { sort: "hot" }, { q: "w" }])
      expect(idsOf(await followed(reader, more)).toSorted(), JSON.stringify(more)).toEqual([post.id, lemmy]);
    expect(idsOf(await followed(ada))).toEqual([post.id]);
    await ada.block({ username: reader.user.username });
    expect(idsOf(await followed(reader))).toEqual([lemmy]);
    const unknown = await reader.call("followCommunity", { platform, community: "unknown_one" });
    expect([unknown.status, unknown.body.code]).toEqual([404, "not_found"]);
  });

  test("continues page by page, each post once", { timeout: 120_000 }, async () => {
    await using tandem = await startTandem(engine);
    const authors = [await tandem.as.human(), await tandem.as.human(), await tandem.as.human()];
    const communities = ["weaving", "spinning"];
    for (const name of communities) {
      await authors[0]?.createCommunity({ name });
      for (const author of authors.slice(1)) await author.joinCommunity({ name });
    }
    const tags = ["one", "two", "three"];
    const random = fc.record({
      by: fc.nat(2),
      tags: fc.subarray(tags),
      community: fc.constantFrom(undefined, ...communities),
    });
    const posts: { id: number; by: number; tags: string[]; community?: string | undefined }[] = [];
    for (const { by, tags, community } of fc.sample(random, { numRuns: 60, seed: 7 })) {
      const title = `A post ${tags.map((tag) => `#${tag}`).join(" ")}`;
      const created = await authors[by]?.createPost({ title, ...(community && { community }) });
      posts.push({ id: created?.post.id ?? 0, by, tags, community });
    }
    const scenario = fc.record({
      authors: fc.subarray([0, 1, 2]),
      tags: fc.subarray(tags),
      communities: fc.subarray(communities),
      limit: fc.integer({ min: 1, max: 12 }),
      sort: fc.constantFrom("new" as const, "hot" as const),
    });
    await fc.assert(
      fc.asyncProperty(scenario, async (chosen) => {
        const reader = await tandem.as.human();
        for (const i of chosen.authors)
          await reader.follow({ platform: "native", author: authors[i]?.user.username ?? "" });
        for (const tag of chosen.tags) await reader.followTag({ tag });
        for (const community of chosen.communities)
          await reader.followCommunity({ platform: "native", community });
        const expected = posts.filter(
          ({ by, tags, community = "" }) =>
            chosen.authors.includes(by) ||
            tags.some((tag) => chosen.tags.includes(tag)) ||
            chosen.communities.includes(community),
        );
        const seen: number[] = [];
        for await (const { id } of reader.pages.listPosts({
          followed: 1,
          limit: chosen.limit,
          sort: chosen.sort,
        }))
          seen.push(id);
        const inOrder = chosen.sort === "hot" ? seen.toSorted((a, b) => b - a) : seen;
        expect(inOrder).toEqual(expected.map(({ id }) => id).toReversed());
      }),
      { numRuns: engine === "sqlite" ? 12 : 5 },
    );
  });
});

// PostgreSQL 15 checks `in (select …)` with a limit row by row.
describe.each([...engines, "the oldest PostgreSQL"])("on %s", (name) => {
  test("the feed of those one follows reads few rows, however many posts they have", {
    timeout: 120_000,
  }, async () => {
    const isOldest = name === "the oldest PostgreSQL";
    await using server = isOldest ? await startPostgres({ binaries: await oldestBinaries() }) : null;
    const env = server ? { DATABASE_URL: `${server.url}/postgres` } : {};
    const engine = name === "sqlite" ? "sqlite" : "postgres";
    await using tandem = await startTandem(engine, { env });
    const { user } = await tandem.as.human();
    await fillFollows(tandem.storage, user.id);
    const { read } = tandem.storage;
    const viewer = {
      userId: user.id,
      blocksOf: [],
      ai: { posts: "show", comments: "show" },
      hidesSensitive: false,
    } as const;
    const all = { ...viewer, followedTags: 100, followedCommunities: 100 };
    for (const [sort, follows] of [
      ["new", viewer],
      ["new", all],
      ["hot", viewer],
      ["hot", all],
    ] as const) {
      const selection = await selectionOf(read, { followed: 1, sort }, follows);
      const explain = engine === "postgres" ? sql`explain (analyze, timing off)` : sql`explain query plan`;
      const plan = JSON.stringify(
        (await sql`${explain} ${feedIds(read, selection, 21)}`.execute(read)).rows,
        null,
        1,
      );
      expect(plan).not.toMatch(/SCAN (p|t|found|posts)\b/);
      if (engine === "postgres") {
        const loops = [...plan.matchAll(/loops=(\d+)/g)].map(([, count]) => Number(count));
        expect(Math.max(...loops), plan).toBeLessThanOrEqual(10 * FOLLOWS);
      }
      // For the hot feed, PostgreSQL reads a table of this size to sort some of its posts.
      if (engine === "postgres" && sort === "new") {
        expect(plan).not.toMatch(/Seq Scan on (posts|post_tags)/);
        const counts = [...plan.matchAll(/actual rows=(\d+)|Removed by Filter: (\d+)/g)];
        expect(Math.max(...counts.map(([, a, b]) => Number(a ?? b))), plan).toBeLessThanOrEqual(2 * FOLLOWS);
      }
      expect((await feedIds(read, selection, 21).execute(read)).rows).toHaveLength(21);
    }
  });
});

const FOLLOWS = 100;

/** 100 creators, hashtags and communities that a reader follows, and 20,000 posts by them, with one of the hashtags and in one community. */
async function fillFollows(storage: Awaited<ReturnType<typeof startTandem>>["storage"], reader: number) {
  const template = await storage.write((tx) =>
    insertImportedPost(tx, { platform: "lemmy", community: "c1" }),
  );
  await storage.write(async (tx) => {
    const numbers = (count: number) =>
      sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)})`;
    const tables = await tx.engine.catalog.tables(tx);
    const { columns = [] } = tables.find(({ name }) => name === "posts") ?? {};
    const list = sql.join(columns.filter((name) => name !== "id").map((name) => sql.ref(name)));
    await sql`${numbers(20_000)} insert into posts (id, ${list}) select 1000 + i, ${list} from n cross join posts
      where posts.id = ${template}`.execute(tx);
    await sql`insert into post_tags (tag, post_id) select 'T1', id from posts`.execute(tx);
    await sql`insert into post_tags (tag, post_id) select 'T2', id from posts where id % 500 = 0`.execute(tx);
    await sql`${numbers(FOLLOWS)} insert into tag_follows (user_id, tag, name) select ${sql.lit(reader)}, 'T' || i, 'T' || i from n`.execute(
      tx,
    );
    await sql`${numbers(FOLLOWS)} insert into community_follows (user_id, platform, community_key, name)
      select ${sql.lit(reader)}, 'lemmy', 'c' || i, 'c' || i from n`.execute(tx);
    const creators = await insertCreators(
      tx,
      "lemmy",
      Array.from({ length: FOLLOWS }, (_, i) => `by${i}`),
    );
    await sql`update posts set creator_id = ${Math.min(...creators)} + id % ${sql.lit(FOLLOWS)}`.execute(tx);
    const follows = creators.map((creator_id) => ({ user_id: reader, creator_id }));
    await tx.insertInto("follows").values(follows).execute();
    await sql`analyze`.execute(tx);
  });
}

test("hashtags and communities that one follows are limited, private and checked", async () => {
  await using tandem = await startTandem();
  const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
  for (const tag of ["", "#", "two words", "12", "a".repeat(limits.tag + 1)]) {
    const { status, body } = await ada.call("followTag", { tag });
    expect([status, body.code, body.field], tag).toEqual([400, "invalid_input", "tag"]);
  }
  await tandem.storage.write(async (tx) => {
    const tag_follows = Array.from({ length: limits.followedTags }, (_, i) => ({
      user_id: ada.user.id,
      tag: `T${i}`,
      name: `t${i}`,
    }));
    await tx.insertInto("tag_follows").values(tag_follows).execute();
    const community_follows = Array.from({ length: limits.followedCommunities }, (_, i) => ({
      user_id: ada.user.id,
      platform: "lemmy" as const,
      community_key: `c${i}`,
      name: `c${i}`,
    }));
    await tx.insertInto("community_follows").values(community_follows).execute();
  });
  const tag = await ada.call("followTag", { tag: "more" });
  expect([tag.status, tag.body.code, tag.body.field]).toEqual([400, "invalid_input", "tag"]);
  expect((await ada.followTag({ tag: "t7" })).following).toBe(true);
  const community = await ada.call("followCommunity", { platform: "lemmy", community: "more" });
  expect([community.status, community.body.field]).toEqual([400, "community"]);
  // With as many as possible, one can still join communities.
  await bob.createCommunity({ name: "weaving" });
  expect((await ada.joinCommunity({ name: "weaving" })).joined).toBe(true);
  expect((await bob.listFollowedTags()).tags).toEqual([]);
  const key = await tandem.as.key([], bob);
  expect((await key.listFollowedTags()).tags).toEqual([]);
  expect((await key.call("followTag", { tag: "more" })).body.code).toBe("insufficient_scope");
  const agent = await tandem.as.agent(bob);
  await agent.followTag({ tag: "more" });
  expect((await agent.listFollowedTags()).tags).toEqual([{ name: "more" }]);
  expect((await bob.listFollowedTags()).tags).toEqual([]);
});

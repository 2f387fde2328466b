import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY } from "@tandem/contract/durations";
import { operations } from "@tandem/contract/operations";
import { platformNames } from "@tandem/contract/origins";
import { mediaTypes } from "@tandem/contract/post-resources";
import { provenances } from "@tandem/contract/provenance";
import { cookieOf } from "@tandem/testing/callers";
import { dump } from "@tandem/testing/dump";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { Ajv } from "ajv";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { firstBroken } from "../features/moderation/chain.ts";
import { hotRank } from "../features/posts/hot.ts";
import { searchText } from "../features/posts/posts.queries.ts";
import { formats } from "../http/formats.ts";
import { fromFragment } from "../storage/post-fragment.ts";
import { openSqlite } from "../storage/sqlite/sqlite.ts";
import { DEMO_PASSWORD, type Seeded, type SeedOptions, seed } from "./seed/seed.ts";

/** More than one batch, to test what spans batches. */
const POSTS = 4600;
const AT = Date.UTC(2025, 5, 1);

let dataDir: string;
let tandem: Tandem;
let seeded: Seeded;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "tandem-seed-"));
  const storage = await openSqlite(join(dataDir, "tandem.db"));
  seeded = await seed(storage, { posts: POSTS, at: AT });
  await storage.close();
  tandem = await startTandem("sqlite", { dataDir, now: () => AT });
});

afterAll(async () => {
  await tandem.stop();
  await rm(dataDir, { recursive: true });
});

describe("seeding", () => {
  test("creates the same data for the same size, seed and time, and different data for another seed", async () => {
    const [one, same, other] = await Promise.all([
      dumpOf({ posts: 300, seed: 7 }),
      dumpOf({ posts: 300, seed: 7 }),
      dumpOf({ posts: 300, seed: 8 }),
    ]);
    expect(same).toEqual(one);
    expect(other.posts).not.toEqual(one.posts);
  });

  test("creates the same data on PostgreSQL", async () => {
    await using other = await startTandem("postgres");
    await seed(other.storage, { posts: 150, seed: 7 });
    const [postgres, sqlite] = [await dump(other.storage), await dumpOf({ posts: 150, seed: 7 })];
    // SQLite has more tables, for search. PostgreSQL spreads daily counts over random shards.
    const tables = Object.keys(sqlite).filter((table) => table in postgres && table !== "day_counts");
    expect(tables.length).toBeGreaterThan(40);
    for (const table of tables) expect(postgres[table], table).toEqual(sqlite[table]);
  });

  test("rejects a database that has accounts", async () => {
    await expect(seed(tandem.storage, { posts: 10 })).rejects.toThrow("already has accounts");
  });

  test("has posts of every platform, media type and provenance, with products, and in several scripts", async () => {
    const values = async (column: string) => {
      const found = await rows<{ value: string }>(`select distinct ${column} as value from posts`);
      return found.map((row) => row.value).sort();
    };
    expect(await values("platform")).toEqual([...platformNames].sort());
    expect(await values("media_type")).toEqual([...mediaTypes].sort());
    expect(await values("provenance")).toEqual([...provenances].sort());
    expect((await rows("select 1 from post_products")).length).toBeGreaterThan(0);
    for (const q of ["ΟΔΥΣΣΈΑΣ", "strasse", "yağmur", "ещё", "おすすめ", "🚲"]) {
      expect((await tandem.as.anonymous().listPosts({ q })).posts, q).not.toEqual([]);
    }
  });

  test("labels agents' content as AI-generated, and creates posts in chronological order", async () => {
    const wrong = await rows(`select p.id from posts p left join creators c on c.id = p.creator_id
      left join users u on u.id = c.user_id where u.role = 'agent' and p.provenance <> 'ai_generated'
      or (p.platform = 'native') <> (u.id is not null)`);
    const silent = await rows(`select c.id from comments c join users u on u.id = c.user_id
      where u.role = 'agent' and c.is_ai = 0`);
    const backwards =
      await rows(`select id from (select id, posted_at, lag(posted_at) over (order by id) as before
      from posts) where posted_at < before or posted_at > ${AT} or id is null`);
    const [last] = await rows<{ at: number }>("select max(posted_at) as at from posts");
    expect([wrong, silent, backwards]).toEqual([[], [], []]);
    expect(AT - Number(last?.at)).toBeLessThan(DAY);
  });

  test("returns who can log in", async () => {
    const { user } = await (await session(seeded.operator)).me({});
    expect(user.username).toBe(seeded.operator);
    expect(await rows(`select 1 from users where operator_id = ${user.id}`)).not.toEqual([]);
  });
});

describe("every counter is exact:", () => {
  const counts: Record<string, string> = {
    "likes of posts": `select id from posts p where like_count <> (select count(*) from post_likes where post_id = p.id)`,
    "comments of posts": `select id from posts p where comment_count <>
      (select count(*) from comments where post_id = p.id and deleted = 0)`,
    "clicks of posts": `select id from posts p where click_count <>
      (select coalesce(sum(clicks), 0) from product_clicks where post_id = p.id)`,
    "likes of comments": `select id from comments c where like_count <>
      (select count(*) from comment_likes where comment_id = c.id)`,
    "replies of comments": `select id from comments c where reply_count <>
      (select count(*) from comments where parent_id = c.id)`,
    "totals of creators": `select c.id from creators c left join (
        select creator_id, count(*) as posts, sum(view_count) as views, sum(like_count) as likes,
          sum(comment_count) as comments from posts group by creator_id
      ) p on p.creator_id = c.id
      where (post_count, view_count, c.like_count, c.comment_count) is not
        (coalesce(posts, 0), coalesce(views, 0), coalesce(likes, 0), coalesce(comments, 0))`,
    "clicks of creators": `select c.id from creators c where click_count <> (select coalesce(sum(k.clicks), 0)
      from products p join product_clicks k on k.product_id = p.id where p.user_id = c.user_id)`,
    "unread notifications": `select id from users u where unread <>
      (select count(*) from notifications where user_id = u.id and id > u.read_upto)`,
    "notifications in another order than their times": `select a.id from notifications a join notifications b on b.id = (
      select max(id) from notifications where id < a.id) where b.created_at > a.created_at`,
    // A decision's notification has no other actor, so that the moderator isn't named.
    "notifications of own actions": `select id from notifications where user_id = actor_id and type <> 'moderation'`,
    "likes by agents": `select id from posts p where ai_like_count <>
      (select count(*) from post_likes where post_id = p.id and by_ai = 1)`,
    "versions of posts": `select id from posts p where version <> 1 + (select count(*) from post_versions where post_id = p.id)
      or (version = 1) <> (fragment like '%,"editedAt":null,%')`,
    "versions of comments": `select id from comments c where version <>
      1 + (select count(*) from comment_versions where comment_id = c.id) or (version = 1) <> (edited_at is null)`,
    "posts of collections": `select id from collections c
      where post_count <> (select count(*) from collection_posts where collection_id = c.id)`,
    followers: `select id from creators c where follower_count <> (select count(*) from follows where creator_id = c.id)`,
    "last messages": `select conversation_id from conversation_sides s where last_id <>
      (select max(id) from messages where conversation_id = s.conversation_id)`,
    "reports of cases": `select id from report_cases c where reports <> (select count(*) from reports where case_id = c.id)`,
    "posts of days": `select 1 from (select
      (select sum(counted) from day_counts where what like 'posts/%') as counted,
      (select count(*) from posts) as made) where counted is not made`,
    "native posts of days": `select 1 from (select (select sum(counted) from day_counts
        where what like 'posts/%/declared' or what like 'posts/%/stamped') as counted,
      (select count(*) from posts where platform = 'native') as made) where counted is not made`,
    "comments of days": `select 1 from (select
      (select sum(counted) from day_counts where what in ('commentsByPeople', 'commentsByAi')) as counted,
      (select count(*) from comments) as made) where counted <> made`,
  };
  test.each(Object.entries(counts))("%s", async (_what, wrong) => {
    expect(await rows(wrong)).toEqual([]);
  });

  test("no counter is zero everywhere", async () => {
    const [found] = await rows<Record<string, number>>(`select
      (select count(*) from post_likes) as likes, (select count(*) from post_saves) as saves,
      (select count(*) from dismissals) as dismissals, (select sum(post_count) from collections) as collected, (select count(*) from comment_likes) as comment_likes,
      (select count(*) from comments where parent_id is not null) as replies,
      (select count(*) from post_versions) as versions, (select count(*) from comment_versions) as comment_versions,
      (select count(*) from follows) as follows, (select count(*) from lives) as lives,
      (select count(*) from product_clicks) as clicks, (select sum(unread) from users) as unread,
      (select count(*) from users where read_upto > 0) as readers`);
    expect(Object.entries(found ?? {}).filter(([, count]) => !(count > 0))).toEqual([]);
  });

  test("there is a notification for each like, comment and reply that concerns another account", async () => {
    const [{ expected, actual } = { expected: 0, actual: 1 }] = await rows<{
      expected: number;
      actual: number;
    }>(`select
      (select count(*) from post_likes l join posts p on p.id = l.post_id join creators c on c.id = p.creator_id
        where c.user_id <> l.user_id) +
      (select count(*) from comment_likes l join comments c on c.id = l.comment_id where c.user_id <> l.user_id) +
      (select count(*) from comments k left join comments up on up.id = k.parent_id join posts p on p.id = k.post_id
        join creators c on c.id = p.creator_id
        where case when up.id is null then c.user_id else up.user_id end <> k.user_id) as expected,
      (select count(*) from notifications where type in ('post_like', 'comment_like', 'comment', 'reply')) as actual`);
    expect(actual).toBe(expected);
  });
});

describe("relationships:", () => {
  const wrong: Record<string, string> = {
    "friendships are the same from both sides": `select 1 from friendships f where not exists
      (select 1 from friendships g where g.user_id = f.friend_id and g.friend_id = f.user_id)`,
    "no one requests a friendship that exists": `select 1 from friend_requests r join friendships f on f.user_id = r.from_id and f.friend_id = r.to_id`,
    "no agent has friendships": `select 1 from friendships f join users u on u.id = f.user_id where u.role = 'agent'`,
    "blocks are the same from both sides": `select 1 from blocks b where not exists
      (select 1 from blocks c where c.user_id = b.other_id and c.other_id = b.user_id)
      or not exists (select 1 from users where id = b.user_id and has_blocks = 1)`,
    "blocks end friendships, follows and conversations": `select 1 from blocks b where exists
      (select 1 from friendships f where f.user_id = b.user_id and f.friend_id = b.other_id)
      or exists (select 1 from follows f join creators c on c.id = f.creator_id
        where f.user_id = b.user_id and c.user_id = b.other_id)
      or exists (select 1 from conversation_sides s where s.user_id = b.user_id and s.other_id = b.other_id)`,
    "no agent starts a conversation": `select 1 from conversation_sides s join users u on u.id = s.user_id
      where s.side = 0 and u.role = 'agent'`,
    "exactly agents' messages are marked as AI": `select 1 from messages m join conversation_sides s
      on s.conversation_id = m.conversation_id and s.side = m.side join users u on u.id = s.user_id
      where (u.role = 'agent') <> (m.is_ai = 1)`,
    "every friend request has a notification": `select 1 from (select (select count(*) from friend_requests) as requests,
      (select count(*) from notifications where type = 'friend_request') as notified) where requests <> notified`,
  };
  test.each(Object.entries(wrong))("%s", async (_what, query) => {
    expect(await rows(query)).toEqual([]);
  });

  test("the accounts to log in with have some of everything", async () => {
    const person = await session(seeded.person);
    expect((await person.listFriends()).friends.length).toBeGreaterThan(2);
    expect(
      (await person.listFriendRequests()).incoming.length +
        (await person.listFriendRequests()).outgoing.length,
    ).toBeGreaterThan(0);
    expect((await person.listBlocks()).blocks).toHaveLength(1);
    const { conversations } = await person.listConversations();
    expect(conversations.length).toBeGreaterThan(2);
    const [first] = conversations;
    const { messages } = await person.listMessages({ username: first?.with ?? "" });
    expect(messages[0]).toEqual(first?.lastMessage);
    expect((await person.listDrafts()).drafts.map(({ state }) => state).sort()).toEqual([
      "kept",
      "scheduled",
    ]);
    const operator = await session(seeded.operator);
    const { drafts } = await operator.listDrafts();
    expect(drafts.filter(({ state }) => state === "pending")).toHaveLength(2);
    expect((await operator.listActivity()).activity.length).toBeGreaterThan(0);
    expect((await operator.listLists()).lists).toHaveLength(1);
  });

  test("there is work for an admin, and an intact audit log", async () => {
    const admin = await session(seeded.admin);
    const { cases } = await admin.listCases();
    expect(cases.length).toBeGreaterThan(2);
    expect(cases.filter(({ target }) => target.excerpt === null)).toEqual([]);
    expect((await admin.listAppeals()).decisions).toHaveLength(1);
    expect(await firstBroken(tandem.storage.read)).toMatchObject({ broken: null });
    const { entries } = await admin.listAudit();
    expect(entries.filter(({ at }) => Date.parse(at) > AT)).toEqual([]);
    const mentioned = await rows("select 1 from notifications where type = 'mention'");
    expect(mentioned.length).toBeGreaterThan(0);
    expect((await tandem.as.anonymous().listPosts({ q: "#gardening" })).posts.length).toBeGreaterThan(0);
  });
});

describe("stored data that is derived:", () => {
  test("every post matches the contract", async () => {
    // Without ids, which may appear only once: posts have polls, and so have those that they quote.
    const schema = JSON.stringify(operations.listPosts.response, (name, value) =>
      name === "$id" ? undefined : value,
    );
    const valid = new Ajv({ strict: false, formats }).compile(JSON.parse(schema));
    let cursor: number | undefined;
    let read = 0;
    do {
      const page = await tandem.as.anonymous().listPosts({ limit: 50, ...(cursor && { cursor }) });
      expect(valid(page), JSON.stringify(valid.errors)).toBe(true);
      read += page.posts.length;
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(read).toBe(POSTS);
  });

  test("ranks, search texts and columns match the facts", async () => {
    const posts = await tandem.storage.read
      .selectFrom("posts as p")
      .innerJoin("post_texts as t", "t.post_id", "p.id")
      .selectAll()
      .execute();
    expect(posts.length).toBe(POSTS);
    for (const post of posts) {
      const facts = fromFragment(post.fragment);
      const interest = {
        score: post.origin_score + post.like_count,
        comments: post.comment_count,
        postedAt: post.posted_at,
      };
      expect(post).toMatchObject({
        hot_rank: hotRank(interest),
        folded: searchText(facts),
        platform: facts.platform,
        media_type: facts.mediaType,
        provenance: facts.provenance,
        community_key: facts.community?.toLowerCase() ?? null,
        posted_at: Date.parse(facts.postedAt),
      });
      const { url, score } = JSON.parse(post.origin_json ?? "{}");
      if (url) expect([url, score ?? 0]).toEqual([facts.url, post.origin_score]);
      expect(Boolean(url)).toBe(facts.platform !== "native");
    }
  });

  test("product cards are as the shop writes them, and the shop can edit them", async () => {
    const [shown] = await rows<{ post: number; product: number }>(
      "select post_id as post, product_id as product from post_products limit 1",
    );
    const { post, product } = shown ?? { post: 0, product: 0 };
    const before = (await tandem.as.anonymous().readPost({ id: post })).post;
    expect(before.products.map((card) => card.url)).toContain(`/out/${product}?post=${post}`);
    const owner = await session(before.author);
    await owner.editProduct({ id: product, title: "Renamed" });
    const after = (await tandem.as.anonymous().readPost({ id: post })).post;
    const renamed = before.products.map((card) =>
      card.id === product ? { ...card, title: "Renamed" } : card,
    );
    expect(after).toEqual({ ...before, products: renamed });
  });

  test("search finds all creators", async () => {
    const unseen = await rows(
      `select id from creators where id <> 0 and id not in (select creator_id from creator_texts)`,
    );
    expect(unseen).toEqual([]);
    const { creators } = await tandem.as.anonymous().searchCreators({ q: seeded.person.slice(0, 5) });
    expect(creators.map((hit) => hit.author)).toContain(seeded.person);
  });

  test("has polls with votes of both kinds, none after they closed", async () => {
    const [counts] = await rows<{ people: number; agents: number }>(
      "select sum(voter_count - ai_voter_count) as people, sum(ai_voter_count) as agents from polls",
    );
    expect(Number(counts?.people)).toBeGreaterThan(0);
    expect(Number(counts?.agents)).toBeGreaterThan(0);
    const votes = await rows<{ voted_at: number; fragment: string }>(
      "select v.voted_at, p.fragment from poll_votes v join posts p on p.id = v.post_id",
    );
    const late = votes.filter(
      ({ voted_at, fragment }) => voted_at > Date.parse(fromFragment(fragment).poll?.closesAt ?? ""),
    );
    expect(late).toEqual([]);
  });

  test("shows a poll on the newest page of the size of the gallery", async () => {
    await using other = await startTandem("sqlite", { now: () => AT });
    await seed(other.storage, { posts: 800, at: AT });
    const { posts } = await other.as.anonymous().listPosts({ limit: 50 });
    expect(posts.filter(({ poll }) => poll).length).toBeGreaterThan(0);
  });

  test("new rows continue the ids", async () => {
    const person = await tandem.as.human("newcomer");
    const { post } = await person.createPost({ title: "After the seed" });
    const { comment } = await person.createComment({ id: post.id, body: "First." });
    const [{ reposts } = { reposts: 0 }] = await rows<{ reposts: number }>(
      "select count(*) as reposts from reposts",
    );
    // Reposts take theirs from the same sequence.
    expect(reposts).toBeGreaterThan(0);
    expect(post.id).toBe(POSTS + reposts + 1);
    expect(comment.id).toBe(seeded.comments + 1);
  });
});

/** A demo account, logged in. */
async function session(username: string) {
  const response = await tandem.as.anonymous().call("logIn", { username, password: DEMO_PASSWORD });
  return tandem.as.with({ cookie: cookieOf(response) });
}

async function dumpOf(options: SeedOptions) {
  const dir = await mkdtemp(join(tmpdir(), "tandem-seed-"));
  const storage = await openSqlite(join(dir, "tandem.db"));
  try {
    await seed(storage, options);
    const { kysely_migration: _when, ...tables } = await dump(storage);
    return tables;
  } finally {
    await storage.close();
    await rm(dir, { recursive: true });
  }
}

async function rows<Row = unknown>(query: string): Promise<Row[]> {
  return (await sql<Row>`${sql.raw(query)}`.execute(tandem.storage.read)).rows;
}

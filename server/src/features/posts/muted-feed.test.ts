import { limits } from "@tandem/contract/limits";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { mutesOf, selectMutes } from "../shared/mutes.ts";
import { feedIds } from "./feed-ids.ts";
import { selectionOf } from "./feed-query.ts";

/** Posts of muted creators, between others. */
const MUTED_POSTS = 30;
const ai = { posts: "show", comments: "show" } as const;

/** A reader who mutes as much as possible, and mutes of very many others. */
async function withManyMutes(tandem: Tandem) {
  const reader = await tandem.as.human("reader");
  const author = await tandem.as.human("author");
  const { post } = await author.createPost({ title: "Seen" });
  await tandem.storage.write(async (tx) => {
    const into = (rows: number, table: string, columns: string, values: string, more = "") =>
      sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${sql.lit(rows)})
        insert into ${sql.table(table)} (${sql.raw(columns)}) select ${sql.raw(values)} from n ${sql.raw(more)}`.execute(
        tx,
      );
    await into(
      limits.mutedAccounts,
      "creators",
      "id, platform, author, author_key, post_count, view_count, like_count, comment_count, click_count",
      "1000 + i, 'reddit', 'muted' || i, 'muted' || i, 0, 0, 0, 0, 0",
    );
    await into(
      20_000,
      "users",
      "id, username, username_key, email, email_key, role, unread, read_upto, created_at",
      "1000 + i, 'other' || i, 'other' || i, 'other' || i, 'other' || i, 'user', 0, 0, i",
    );
    await into(20_000, "mutes", "user_id, type, creator_id, created_at", "1000 + i, 'account', 1001, i");
    const { id } = reader.user;
    await into(
      limits.mutedAccounts,
      "mutes",
      "user_id, type, creator_id, created_at",
      `${id}, 'account', 1000 + i, i`,
    );
    await into(
      limits.mutedTexts,
      "mutes",
      "user_id, type, text, folded, created_at",
      `${id}, 'word', 'w', ' W' || i || ' ', i`,
    );
    const { rows } = await sql<{ name: string }>`select * from posts limit 1`.execute(tx);
    const columns = Object.keys(rows[0] ?? {}).filter((name) => name !== "id" && name !== "creator_id");
    const list = columns.join(", ");
    await into(
      20_000,
      "posts",
      `creator_id, ${list}`,
      `creator_id, ${list}`,
      `cross join posts where posts.id = ${post.id}`,
    );
    await into(
      MUTED_POSTS,
      "posts",
      `creator_id, ${list}`,
      `1000 + i, ${list}`,
      `cross join posts where posts.id = ${post.id}`,
    );
    await into(
      50,
      "posts",
      `creator_id, ${list}`,
      `creator_id, ${list}`,
      `cross join posts where posts.id = ${post.id}`,
    );
    await sql`update users set mutes_change_at = ${sql.lit(Number.MAX_SAFE_INTEGER)} where id = ${id}`.execute(
      tx,
    );
    await sql`analyze`.execute(tx);
  });
  return reader;
}

describe.each(engines)("the feed of a reader who mutes as much as possible, on %s", (engine) => {
  test("reads the reader's mutes by indexes, and then the posts of a page and the muted ones between them", async () => {
    await using tandem = await startTandem(engine);
    const reader = await withManyMutes(tandem);
    const { user } = reader;
    const { read } = tandem.storage;
    const now = Date.now();
    const caller = { userId: user.id, username: user.username, mutesChangeAt: Number.MAX_SAFE_INTEGER };
    const mutes = await mutesOf(read, caller, now);
    expect([mutes?.creators.length, mutes?.words.length]).toEqual([limits.mutedAccounts, limits.mutedTexts]);
    const planOf = async (query: ReturnType<typeof sql>) => {
      const explain = engine === "postgres" ? sql`explain (analyze, timing off)` : sql`explain query plan`;
      return JSON.stringify((await sql`${explain} ${query}`.execute(read)).rows);
    };
    const loaded = await planOf(selectMutes(user.id, now));
    expect(loaded).toMatch(/mutes_of/);
    expect(loaded).not.toMatch(/SCAN (m|users|c|a|ac)\b|Seq Scan on (mutes|posts)/);
    const viewer = { ...caller, blocksOf: [], ai, hidesSensitive: false };
    for (const query of [{}, { sort: "hot" }, { platform: "native" }, { since: "2020-01-01" }] as const) {
      const selection = await selectionOf(read, query, viewer, mutes);
      const plan = await planOf(feedIds(read, selection, 60));
      expect(plan).not.toMatch(/SCAN (m|mutes)\b|Seq Scan on (mutes|posts)|Scan[^"]* on mutes/);
      if (engine === "sqlite") expect(plan).toMatch(/LIST SUBQUERY/);
      else {
        expect(plan).toMatch(/hashed SubPlan/);
        const removed = [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)].map(([, rows]) => Number(rows));
        expect(Math.max(0, ...removed), plan).toBeLessThanOrEqual(MUTED_POSTS);
      }
      expect((await feedIds(read, selection, 60).execute(read)).rows).toHaveLength(60);
    }
    expect((await reader.listPosts({ limit: 50 })).posts).toHaveLength(50);
  });
});

import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { Db } from "../../storage/storage.ts";
import { feedIds } from "../posts/feed-ids.ts";
import { selectionOf } from "../posts/feed-query.ts";
import { accountsLike } from "./accounts.ts";

/** More than a page, and too many to scan. */
const MANY = 3000;

interface Plan {
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

describe.each(engines)("feeds with very many removed posts on %s", (engine) => {
  test("don't read removed posts", async () => {
    await using tandem = await startTandem(engine);
    const person = await tandem.as.human();
    for (let i = 0; i < 3; i++) await person.createPost({ title: "Old" });
    const { post } = await person.createPost({ title: "Removed" });
    const removed = await multiply(tandem, post.id);
    for (let i = 0; i < 3; i++) await person.createPost({ title: "New" });
    const { read } = tandem.storage;
    const ai = { posts: "show", comments: "show" } as const;
    const reader = { userId: person.user.id, blocksOf: [], ai, hidesSensitive: false };
    const filters = [
      {},
      { provenance: "human" },
      { platform: "native" },
      { author: person.user.username },
    ] as const;
    await tandem.storage.write((tx) => sql`analyze`.execute(tx));
    for (const filter of filters)
      for (const sort of [{}, { sort: "hot" }] as const) {
        const selection = await selectionOf(read, { ...filter, ...sort }, reader);
        const { rows } = await feedIds(read, selection, 20).execute(read);
        expect(rows).toHaveLength(6);
        if (engine === "postgres")
          expect([filter, sort, await passedOver(read, feedIds(read, selection, 20))]).toEqual([
            filter,
            sort,
            0,
          ]);
      }
    expect(removed).toBeGreaterThan(MANY);
    if (engine === "sqlite") {
      const plan = sql<{
        detail: string;
      }>`explain query plan ${feedIds(read, await selectionOf(read, {}, null), 20)}`;
      expect((await plan.execute(read)).rows.map(({ detail }) => detail)).toEqual([
        expect.stringContaining("posts_shown"),
      ]);
    }
  });
});

describe.each(engines)("account lists among very many accounts on %s", (engine) => {
  test("find suspended accounts and username prefixes without a scan", async () => {
    await using tandem = await startTandem(engine);
    const person = await tandem.as.human();
    const { storage } = tandem;
    const counted = sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${sql.lit(MANY)})`;
    await storage.write((tx) =>
      sql`insert into users (username, username_key, email, email_key, email_verified, role, unread, read_upto, created_at)
        ${counted} select concat('u', i), concat('u', i), concat('u', i), concat('u', i), 0, 'user', 0, 0, 0 from n`.execute(
        tx,
      ),
    );
    await storage.write((tx) =>
      sql`update users set suspended_until = 9000000000000 where id = ${person.user.id}`.execute(tx),
    );
    // PostgreSQL collects statistics by itself after a while; SQLite never does.
    if (engine === "postgres") await storage.write((tx) => sql`analyze`.execute(tx));
    for (const [input, index] of [
      [{ suspended: 1 }, "users_suspended_by_id"],
      [{ suspended: 1, role: "user" }, "users_suspended_by_id"],
      [{ q: "pers", role: "user" }, "users_by_name"],
    ] as const) {
      const query = accountsLike(storage.read, input, 1).limit(21);
      expect((await query.execute()).map(({ id }) => id)).toEqual([person.user.id]);
      const { sql: text, parameters } = query.compile();
      const explain = engine === "sqlite" ? "explain query plan" : "explain";
      const plan = await storage.read.executeQuery({
        ...query.compile(),
        sql: `${explain} ${text}`,
        parameters,
      });
      expect([input, JSON.stringify(plan.rows)]).toEqual([input, expect.stringContaining(index)]);
    }
  });
});

/** Removes posts as a moderator would; returns how many are removed. */
async function multiply({ storage, as }: Tandem, id: number): Promise<number> {
  const admin = await as.human();
  await storage.write((tx) => sql`update users set role = 'admin' where id = ${admin.user.id}`.execute(tx));
  await admin.removePost({ id, reason: "Advertising" });
  const copied = sql`creator_id, platform, media_type, provenance, origin_score, like_count, comment_count, view_count,
    click_count, hot_rank, posted_at, story_rest, removed, fragment`;
  await storage.write((tx) =>
    sql`with recursive times (i) as (select 1 union all select i + 1 from times where i < ${sql.lit(MANY)})
      insert into posts (${copied}) select ${copied} from posts cross join times where posts.id = ${id}`.execute(
      tx,
    ),
  );
  const { rows } = await sql<{ n: number }>`select count(*) as n from posts where removed = 1`.execute(
    storage.read,
  );
  return Number(rows[0]?.n);
}

async function passedOver(db: Db, query: ReturnType<typeof feedIds>): Promise<number> {
  const { rows } = await sql<{
    "QUERY PLAN": [{ Plan: Plan }];
  }>`explain (analyze, format json) ${query}`.execute(db);
  const sum = (plan: Plan): number =>
    (plan["Rows Removed by Filter"] ?? 0) + (plan.Plans ?? []).reduce((all, one) => all + sum(one), 0);
  return rows.reduce(
    (all, row) => all + row["QUERY PLAN"].reduce((some, { Plan }) => some + sum(Plan), 0),
    0,
  );
}

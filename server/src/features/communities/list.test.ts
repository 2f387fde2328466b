import type { Storage } from "@tandem/server/storage/storage";
import { engines, startTandem } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { feedIds } from "../posts/feed-ids.ts";
import { selectionOf } from "../posts/feed-query.ts";
import { importedQuery, nativeQuery } from "./list.queries.ts";
import { memberPage, staffOf } from "./members.queries.ts";

describe.each(engines)("the list of communities on %s", (engine) => {
  test("has those of this service and imported ones, by activity, age and name", async () => {
    let now = Date.UTC(2026, 0, 1);
    await using tandem = await startTandem(engine, { now: () => now });
    const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
    const later = () => {
      now += 60_000;
      return now;
    };
    const source = (name: string, community: string, imported: number) =>
      addSource(tandem.storage, { name, community, imported, created_at: now, newest_at: later() });
    await ada.createCommunity({ name: "weaving" });
    later();
    await ada.createCommunity({ name: "typography" });
    later();
    await source("r/weaving", "Weaving", 3);
    await source("r/weaving/new", "weaving", 4);
    await source("r/none", "without_posts", 0);
    later();
    await ada.createPost({ title: "On weaving", community: "weaving" });
    const named = async (input: object) => {
      const { communities } = await bob.listCommunities(input);
      return communities.map(({ platform, name }) => `${platform} ${name}`);
    };
    expect(await named({})).toEqual(["native weaving", "reddit Weaving", "native typography"]);
    expect(await named({ sort: "new" })).toEqual(["reddit Weaving", "native typography", "native weaving"]);
    expect(await named({ q: "WEA" })).toEqual(["native weaving", "reddit Weaving"]);
    expect(await named({ platform: "reddit" })).toEqual(["reddit Weaving"]);
    expect(await named({ platform: "native" })).toEqual(["native weaving", "native typography"]);
    expect(await named({ platform: "nowhere" })).toEqual([]);
    expect(await named({ mine: 1 })).toEqual([]);
    await bob.joinCommunity({ name: "typography" });
    expect(await named({ mine: 1 })).toEqual(["native typography"]);
    const { communities } = await bob.listCommunities({});
    expect(communities).toMatchObject([
      { role: "visitor", postCount: 1, memberCount: 1 },
      { aiPolicy: null, postCount: 7, memberCount: null, createdAt: null, role: "visitor" },
      { role: "member", memberCount: 2 },
    ]);
    const pages = [];
    for await (const { name } of bob.pages.listCommunities({ limit: 1 })) pages.push(name);
    expect(pages).toEqual(["weaving", "Weaving", "typography"]);
    const { communities: suggested } = await bob.suggestSearch({ q: "wea" });
    expect(suggested).toContainEqual({ platform: "native", community: "weaving" });
  });

  test("of members read only those that they list, however many there are", async () => {
    await using tandem = await startTandem(engine);
    const plans = await tandem.storage.write(async (tx) => {
      const isSqlite = engine === "sqlite";
      // The tables are small here.
      if (!isSqlite) await sql`set local enable_seqscan = off`.execute(tx);
      const page = { limit: 20, below: 100 };
      const queries = [memberPage(tx, 1, { ...page, agents: true }), memberPage(tx, 1, page), staffOf(tx, 1)];
      return Promise.all(
        queries.map(async (query) =>
          JSON.stringify(await (isSqlite ? query.explain(undefined, sql`query plan`) : query.explain())),
        ),
      );
    });
    const indexes = ["agents", "key", "staff"].map((name) => `community_members_${name}`);
    const expected = engine === "sqlite" ? indexes.with(1, "PRIMARY KEY") : indexes;
    for (const [i, plan] of plans.entries()) expect(plan).toContain(expected[i]);
  });

  test("and the feeds of communities read along their indexes", { timeout: 300_000 }, async () => {
    await using tandem = await startTandem(engine);
    const ada = await tandem.as.human();
    await ada.createCommunity({ name: "tea" });
    await ada.createPost({ title: "On tea", community: "tea" });
    await fill(tandem.storage);
    const { read } = tandem.storage;
    const asking = { caller: { userId: ada.user.id }, now: Date.now() };
    const planOf = async (query: ReturnType<typeof nativeQuery>) => {
      const explain = tandem.storage.read.engine.rowLocks ? sql`explain` : sql`explain query plan`;
      const { rows } = await sql`${explain} ${query}`.execute(read);
      return JSON.stringify(rows);
    };
    for (const [sort, order] of [
      ["new", "id"],
      ["hot", "hot_rank_id"],
    ] as const) {
      const selection = await selectionOf(read, { community: "tea", platform: "native", sort }, null);
      expect(await planOf(feedIds(read, selection, 20) as never)).toContain(
        `posts_native_community_${order}`,
      );
    }
    for (const [sort, order] of [
      ["active", "active_at"],
      ["new", "created_at"],
    ] as const) {
      expect(await planOf(nativeQuery(read, { sort }, asking, 20))).toContain(`communities_by_${order}`);
      expect(await planOf(importedQuery(read, { sort }, 20) as never)).toContain(
        `sources_communities_by_${order}`,
      );
    }
    expect(await planOf(nativeQuery(read, { mine: 1 }, asking, 20))).toMatch(/community_members/);
    expect(await planOf(nativeQuery(read, { q: "te" }, asking, 20))).toContain("communities_by_name");
    const { posts } = await ada.listPosts({ community: "tea", platform: "native" });
    expect(posts.map(({ title }) => title)).toEqual(["On tea"]);
  });
});

interface NewSource {
  name: string;
  community: string;
  imported: number;
  created_at: number;
  newest_at: number;
}

async function addSource({ write }: Storage, source: NewSource): Promise<void> {
  await write((tx) =>
    tx
      .insertInto("sources")
      .values({ platform: "reddit", enabled: 1, interval_ms: 1000, ...source })
      .execute(),
  );
}

/** 100,000 posts, half of them imported from a community that is named like one here, and 5000 communities of either kind. */
async function fill({ write }: Storage): Promise<void> {
  const into = (rows: number, table: string, columns: string, values: string) =>
    write((tx) =>
      sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${sql.lit(rows)})
        insert into ${sql.table(table)} (${sql.raw(columns)}) select ${sql.raw(values)} from n`.execute(tx),
    );
  const creator = "(select min(id) from creators where id > 0)";
  for (let done = 0; done < 100_000; done += 10_000)
    await into(
      10_000,
      "posts",
      "creator_id, platform, community_key, media_type, provenance, basis, origin_score, like_count, comment_count, view_count, click_count, hot_rank, posted_at, fragment",
      `${creator}, case when i % 2 = 0 then 'reddit' else 'native' end, case when i % 2 = 0 then 'tea' end, 'text', 'human', 'declared', 0, 0, 0, 0, 0, i, i, ''`,
    );
  await into(5000, "communities", "name, ai_policy, created_at, active_at", "'other_' || i, 'open', i, i");
  await into(
    5000,
    "sources",
    "platform, name, community, imported, enabled, interval_ms, created_at",
    "'reddit', 'r/' || i, 'sub' || i, 1, 1, 1000, i",
  );
  await write((tx) => sql`analyze`.execute(tx));
}

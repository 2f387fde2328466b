import type { OriginPlatform } from "@tandem/contract/origins";
import { sql } from "kysely";
import { fromFragment, type PostFacts, toFragment } from "../../storage/post-fragment.ts";
import type { Db } from "../../storage/storage.ts";
import { hotRankSql, rankedLikes } from "../posts/hot.ts";
import { dropLinks } from "../posts/links.queries.ts";
import { searchText } from "../posts/posts.queries.ts";
import { regroup } from "../posts/story.ts";
import { updated } from "./facts.ts";
import { storyOf } from "./story.ts";

/** What an item says now that is a post already. */
export interface Changed {
  id: number;
  key: string;
  facts: PostFacts;
  digest: string;
}

/** Has posts say what their items say now. */
export async function changePosts(
  tx: Db,
  platform: OriginPlatform,
  changes: readonly Changed[],
): Promise<void> {
  const before = await factsOfAll(
    tx,
    changes.map(({ id }) => id),
  );
  const after = changes.flatMap(({ id, facts }) => {
    const old = before.get(id);
    return old ? [{ id, old, facts: updated(old, facts) }] : [];
  });
  await rewrite(tx, after);
  const moved = after.filter(({ old, facts }) => storyOf(old) !== storyOf(facts));
  if (moved.length > 0)
    await regroup(
      tx,
      moved.map(({ id, facts }) => ({ id, story: storyOf(facts) })),
    );
  const elsewhere = after.filter(({ old, facts }) => old.url !== facts.url).map(({ id }) => id);
  if (elsewhere.length > 0) await dropLinks(tx, tx.engine.oneOf(elsewhere));
  await noteDigests(tx, platform, changes);
  const reworded = after.filter(({ old, facts }) => searchText(old) !== searchText(facts));
  if (reworded.length > 0) await findByNewWords(tx, reworded);
}

type Fact = { id: number; facts: PostFacts };

async function factsOfAll(tx: Db, ids: number[]): Promise<Map<number, PostFacts>> {
  const { rows } = await sql<{ id: number; fragment: string }>`
    select id, fragment from posts where id in (${tx.engine.oneOf(ids)})`.execute(tx);
  return new Map(rows.map(({ id, fragment }) => [id, fromFragment(fragment)]));
}

async function rewrite(tx: Db, posts: readonly Fact[]): Promise<void> {
  const rows = posts.map(({ id, facts }) => ({
    post: id,
    said: toFragment(facts),
    media: facts.mediaType,
    place: facts.community?.toLowerCase() ?? null,
  }));
  const columns = { post: "integer", said: "text", media: "text", place: "text" } as const;
  await sql`
    update posts set fragment = listed.said, media_type = listed.media, community_key = listed.place
    from (${tx.engine.jsonRows(JSON.stringify(rows), columns)}) as listed where posts.id = listed.post`.execute(
    tx,
  );
}

async function noteDigests(tx: Db, platform: OriginPlatform, changes: readonly Changed[]): Promise<void> {
  const rows = changes.map(({ key, digest }) => ({ item: key, now: digest }));
  const listed = tx.engine.jsonRows(JSON.stringify(rows), { item: "text", now: "text" });
  await sql`update gathered set digest = listed.now from (${listed}) as listed
    where gathered.platform = ${platform} and gathered.key = listed.item
      and gathered.key in (select item from (${listed}) as named)`.execute(tx);
}

async function findByNewWords(tx: Db, posts: readonly Fact[]): Promise<void> {
  const ids = tx.engine.oneOf(posts.map(({ id }) => id));
  await tx.engine.postSearch.remove(tx, sql<number>`${ids}`);
  await tx.engine.postSearch.add(
    tx,
    posts.map(({ id, facts }) => ({ id, folded: searchText(facts) })),
  );
}

/** What their readers there gave posts, and the rank that follows from it. */
export async function setScores(tx: Db, scores: readonly { id: number; score: number }[]): Promise<void> {
  const rows = scores.map(({ id, score }) => ({ post: id, given: score }));
  const rank = hotRankSql({
    score: sql`(listed.given + ${rankedLikes({ likes: sql`posts.like_count`, aiLikes: sql`posts.ai_like_count` })})`,
    comments: sql`posts.comment_count`,
    postedAt: sql`posts.posted_at`,
  });
  await sql`
    update posts set origin_score = listed.given, hot_rank = ${rank}
    from (${tx.engine.jsonRows(JSON.stringify(rows), { post: "integer", given: "integer" })}) as listed
    where posts.id = listed.post`.execute(tx);
}

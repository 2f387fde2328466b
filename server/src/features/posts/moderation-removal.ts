import { nativePlatform, originNames } from "@tandem/contract/origins";
import { sql } from "kysely";
import { notFound } from "../../http/api-error.ts";
import { withhold } from "../../media/rows.ts";
import { authorNameOf, fromFragment, type PostFacts, toFragment } from "../../storage/post-fragment.ts";
import { ARCHIVED_RANK, REMOVED_CREATOR, REMOVED_RANK } from "../../storage/removed.ts";
import type { Db } from "../../storage/storage.ts";
import { countPosts } from "../communities/counters.ts";
import { unpinRemoved } from "../communities/pins.queries.ts";
import { resumeAnnouncing } from "./closed-polls.ts";
import { hotRank, rankedScore, ranksAiLikes } from "./hot.ts";
import { searchText } from "./posts.queries.ts";
import { countQuotes } from "./quotes.ts";
import { distinctNames, promoteNext, regroup } from "./story.ts";

/*
 * A post that moderators remove keeps its row, and with it everything that references it. But the row leaves every index
 * range that feeds read: it gets placeholder values for creator, source and community, the lowest rank, and counts as a
 * duplicate. Restoring takes the original values from the post's fragment and from its row in `removed_posts`.
 */

/** A post, removed or not, locked until the transaction ends. */
export interface ModeratedPost {
  id: number;
  removed: number;
  creator_id: number;
  fragment: string;
}

/** Reads a post and locks it until the transaction ends. Throws `not_found`. */
export async function lockForModeration(tx: Db, id: number): Promise<ModeratedPost> {
  if (tx.engine.rowLocks) await lockItemAndStory(tx, id);
  const row = await tx
    .selectFrom("posts")
    .select(["id", "removed", "creator_id", "fragment"])
    .where("id", "=", id)
    .$if(tx.engine.rowLocks, (query) => query.forUpdate())
    .executeTakeFirst();
  if (!row) throw notFound("post");
  return row;
}

/** Lock order: items and stories before posts, as when importing. */
async function lockItemAndStory(tx: Db, id: number): Promise<void> {
  await sql`select key from gathered where post_id = ${id} for update`.execute(tx);
  const item = sql`select item_key from removed_posts where post_id = ${id}`;
  const platforms = sql.join(originNames.map((name) => sql.lit(name)));
  await sql`select key from gathered where platform in (${platforms}) and key in (${item}) for update`.execute(
    tx,
  );
  const { rows } = await sql<{ story: string | null }>`select story from posts where id = ${id}
    union select story from removed_posts where post_id = ${id}`.execute(tx);
  await tx.engine.lock(tx, distinctNames(rows.map(({ story }) => story)));
}

/** The account that the post belongs to, removed or not; null for imported posts. */
export async function ownerOf(tx: Db, post: ModeratedPost): Promise<number | null> {
  const owner = await tx
    .selectFrom("creators")
    .select("user_id")
    .where(
      "id",
      "=",
      post.removed === 0
        ? post.creator_id
        : (eb) => eb.selectFrom("removed_posts").select("creator_id").where("post_id", "=", post.id),
    )
    .executeTakeFirst();
  return owner?.user_id ?? null;
}

/** The name of the community of this service that a post is in, removed or not; null for any other. */
export async function communityOfPost(tx: Db, id: number): Promise<string | null> {
  const row = await tx.selectFrom("posts").select("fragment").where("id", "=", id).executeTakeFirst();
  if (!row) return null;
  const { platform, community } = fromFragment(row.fragment);
  return platform === nativePlatform ? (community?.toLowerCase() ?? null) : null;
}

/** Removes a post that isn't removed yet. */
export async function removeForModeration(tx: Db, { id }: ModeratedPost): Promise<void> {
  const postId = sql<number>`${id}`;
  const { source_id, story } = await tx
    .selectFrom("posts")
    .select(["source_id", "story"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  if (story !== null) await promoteNext(tx, postId);
  // While the post is removed, imports must not change it.
  const item = await tx
    .updateTable("gathered")
    .set({ post_id: null })
    .where("post_id", "=", id)
    .returning("key")
    .executeTakeFirst();
  await sql`insert into removed_posts (post_id, creator_id, source_id, story, item_key)
    select id, creator_id, ${source_id}, ${story}, ${item?.key ?? null} from posts where id = ${id}`.execute(
    tx,
  );
  await countPosts(tx, postId, -1);
  await countQuotes(tx, postId, -1);
  await addToCreatorTotals(tx, id, -1);
  await unpinRemoved(tx, id);
  await withhold(tx, id, 1);
  await tx.engine.postSearch.remove(tx, postId);
  await sql`update posts set removed = 1, story = null, story_rest = 1, story_count = 1,
    creator_id = ${sql.lit(REMOVED_CREATOR)}, platform = 'removed', provenance = 'removed', media_type = 'removed',
    source_id = null, community_key = null, hot_rank = ${sql.lit(REMOVED_RANK)} where id = ${id}`.execute(tx);
}

/** Restores a removed post as it was. */
export async function restore(tx: Db, { id, fragment }: ModeratedPost): Promise<void> {
  const removed = await tx
    .deleteFrom("removed_posts")
    .where("post_id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const facts = await withCurrentAuthor(tx, removed.creator_id, fromFragment(fragment));
  const row = await tx
    .updateTable("posts")
    .set({
      removed: 0,
      story_rest: sql`archived`,
      creator_id: removed.creator_id,
      platform: facts.platform,
      provenance: facts.provenance,
      media_type: facts.mediaType,
      source_id: removed.source_id,
      community_key: facts.community?.toLowerCase() ?? null,
      fragment: toFragment(facts),
    })
    .where("id", "=", id)
    .returning(["origin_score", "like_count", "ai_like_count", "comment_count", "posted_at", "archived"])
    .returning(ranksAiLikes.as("ai_ranked"))
    .executeTakeFirstOrThrow();
  const { comment_count: comments, posted_at: postedAt } = row;
  const hot_rank =
    row.archived === 1 ? ARCHIVED_RANK : hotRank({ score: rankedScore(row), comments, postedAt });
  await tx.updateTable("posts").set({ hot_rank }).where("id", "=", id).execute();
  await tx.engine.postSearch.add(tx, [{ id, folded: searchText(facts) }]);
  await countPosts(tx, sql`${id}`, 1);
  await countQuotes(tx, sql`${id}`, 1);
  await addToCreatorTotals(tx, id, 1);
  await withhold(tx, id, 0);
  await resumeAnnouncing(tx, id);
  if (removed.story !== null) await regroup(tx, [{ id, story: removed.story }]);
  if (removed.item_key !== null && facts.platform !== nativePlatform)
    await tx
      .updateTable("gathered")
      .set({ post_id: id })
      .where("platform", "=", facts.platform)
      .where("key", "=", removed.item_key)
      .execute();
}

/** Adds `delta` to a removed post's comment count; returns false if the post isn't removed. Restoring recomputes rank and totals. */
export async function changeCommentCountIfRemoved(tx: Db, id: number, delta: number): Promise<boolean> {
  const counted = await tx
    .updateTable("posts")
    .set((eb) => ({ comment_count: eb("comment_count", "+", delta) }))
    .where("id", "=", id)
    .where("removed", "=", 1)
    .executeTakeFirst();
  return counted.numUpdatedRows > 0n;
}

/** Renames and avatar changes update only posts that aren't removed, so a restored post needs its author's current name and avatar. */
async function withCurrentAuthor(tx: Db, creatorId: number, facts: PostFacts): Promise<PostFacts> {
  const owner = await tx
    .selectFrom("creators as c")
    .innerJoin("users as u", "u.id", "c.user_id")
    .select(["u.display_name", "u.avatar_url"])
    .where("c.id", "=", creatorId)
    .executeTakeFirst();
  if (!owner) return facts;
  const { authorName: _, ...rest } = facts;
  return { ...rest, ...authorNameOf(owner.display_name), authorAvatarUrl: owner.avatar_url };
}

/** Adds a post's counts to its creator's totals, or subtracts them. */
async function addToCreatorTotals(tx: Db, id: number, sign: 1 | -1): Promise<void> {
  const by = sql.lit(sign);
  await sql`update creators set post_count = post_count + ${by} * (1 - p.archived), view_count = creators.view_count + ${by} * p.view_count,
      like_count = creators.like_count + ${by} * p.like_count, comment_count = creators.comment_count + ${by} * p.comment_count
    from posts p where p.id = ${id} and creators.id = p.creator_id`.execute(tx);
}

import { type RawBuilder, sql } from "kysely";
import { REMOVED_CREATOR } from "../../storage/removed.ts";
import type { Db } from "../../storage/storage.ts";
import { countPosts } from "../communities/counters.ts";
import { dropNotifications } from "../notifications/notifications.queries.ts";
import { logDeletions } from "../transparency-log/append.ts";
import { removeDeleted } from "./collections.ts";
import { countQuotes } from "./quotes.ts";
import { promoteNext } from "./story.ts";

/**
 * Deletes posts with all dependants (comments, likes, saves, notifications, product cards) and subtracts them from their
 * creators' totals. `ids` is an id or a query of ids.
 */
export async function removePosts(tx: Db, ids: RawBuilder<number>): Promise<void> {
  await removeDeleted(tx, ids);
  await logDeletions(tx, "post", ids);
  await promoteNext(tx, ids);
  await dropNotifications(tx, sql`post_id in (${ids})`);
  await sql`
    update creators set
      post_count = post_count - totals.posts,
      view_count = view_count - totals.views,
      like_count = like_count - totals.likes,
      comment_count = comment_count - totals.comments
    from (
      select creator_id, sum(1 - archived) as posts, sum(view_count) as views, sum(like_count) as likes,
        sum(comment_count) as comments
      from posts where id in (${ids}) group by creator_id
    ) as totals
    where creators.id = totals.creator_id and creators.id <> ${sql.lit(REMOVED_CREATOR)}
  `.execute(tx);
  await countPosts(tx, ids, -1);
  await countQuotes(tx, ids, -1);
  await tx.engine.postSearch.remove(tx, ids);
  await sql`delete from posts where id in (${ids})`.execute(tx);
}

/** Deletes those of these posts that belong to the account. Returns how many. */
export async function removeOwnPosts(tx: Db, ids: readonly number[], userId: number): Promise<number> {
  const own = await tx
    .selectFrom("posts as p")
    .innerJoin("creators as c", "c.id", "p.creator_id")
    .select("p.id")
    .where(sql<boolean>`p.id in (${tx.engine.oneOf(ids)})`)
    .where("c.user_id", "=", userId)
    .orderBy("p.id")
    .$if(tx.engine.rowLocks, (query) => query.forUpdate("p"))
    .execute();
  const ownIds = own.map(({ id }) => id);
  if (ownIds.length > 0) await removePosts(tx, sql<number>`${tx.engine.oneOf(ownIds)}`);
  return ownIds.length;
}

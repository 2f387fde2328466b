import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../storage/storage.ts";
import { dropNotifications } from "../notifications/notifications.queries.ts";
import { decrementCounters } from "../posts/decrement-counters.ts";
import { logDeletions } from "../transparency-log/append.ts";
import { dropVersions } from "../versions/keep-versions.ts";

/** Deletes every comment by an account; see {@link removeComments}. */
export async function removeCommentsOf(tx: Db, userId: number): Promise<void> {
  await removeComments(tx, sql`select id from comments where user_id = ${userId}`);
}

/**
 * Deletes comments by one account, in a fixed number of statements. The result is the same as deleting them one by one:
 * comments with replies by others stay as empty placeholders. `ids` is a query of ids.
 */
export async function removeComments(tx: Db, ids: RawBuilder<unknown>): Promise<void> {
  const matching = sql<boolean>`id in (${ids})`;
  await decrementCounters(
    tx,
    sql`select post_id, 0 as likes, 0 as ai_likes, count(*) as comments from comments
      where ${matching} and deleted = 0 group by post_id`,
  );
  await logDeletions(tx, "comment", ids);
  await dropNotifications(tx, sql`comment_id in (${ids})`);
  await sql`delete from comment_likes where comment_id in (${ids})`.execute(tx);
  await dropVersions(tx, "comment", ids);
  await tx
    .updateTable("comments")
    .set({ body: "", deleted: 1, removed: 0, like_count: 0, ai_like_count: 0 })
    .where(matching)
    .execute();
  await deleteUnneededPlaceholders(tx, matching);
  await tx.updateTable("comments").set({ user_id: null }).where(matching).execute();
}

/** Deletes these placeholders and the ones above them, as far as they have no replies left. */
async function deleteUnneededPlaceholders(tx: Db, matching: RawBuilder<boolean>): Promise<void> {
  const unneeded = unneededPlaceholders(matching);
  await sql`
    ${unneeded} update comments set reply_count = reply_count - delta.replies
    from (
      select c.parent_id, count(*) as replies from comments c join unneeded on unneeded.id = c.id group by c.parent_id
    ) as delta
    where comments.id = delta.parent_id
  `.execute(tx);
  await sql`${unneeded} delete from comments where id in (select id from unneeded)`.execute(tx);
}

/**
 * A `with` clause that defines `unneeded`: the placeholders to delete. Candidates are these comments and the placeholders
 * above them. A candidate is `needed` if it has a reply that is no candidate, or is above a needed one.
 */
function unneededPlaceholders(matching: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`with recursive
    candidates (id, parent_id) as (
      select id, parent_id from comments where ${matching}
      union
      select above.id, above.parent_id from candidates join comments above on above.id = candidates.parent_id
      where above.deleted = 1 and above.removed = 0
    ),
    needed (id, parent_id) as (
      select candidates.id, candidates.parent_id from candidates
      where exists (
        select 1 from comments reply
        where reply.parent_id = candidates.id and reply.id not in (select id from candidates)
      )
      union
      select above.id, above.parent_id from needed join comments above on above.id = needed.parent_id
      where above.deleted = 1
    ),
    unneeded (id) as (select id from candidates where id not in (select id from needed))`;
}

import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../storage/storage.ts";
import { dropNotifications } from "../notifications/notifications.queries.ts";
import { decrementCounters } from "../posts/decrement-counters.ts";

/** Removes every comment of an account; see {@link removeComments}. */
export async function removeCommentsOf(tx: Db, userId: number): Promise<void> {
  await removeComments(tx, sql`select id from comments where user_id = ${userId}`);
}

/**
 * Removes comments of one account, in so many statements however many there are. What is left is what removing
 * them one by one would leave: empty places where others' comments hang on them. `ids` is a query of ids.
 */
export async function removeComments(tx: Db, ids: RawBuilder<unknown>): Promise<void> {
  const these = sql<boolean>`id in (${ids})`;
  await decrementCounters(
    tx,
    sql`select post_id, 0 as likes, 0 as ai_likes, count(*) as comments from comments
      where ${these} and deleted = 0 group by post_id`,
  );
  await dropNotifications(tx, sql`comment_id in (${ids})`);
  await sql`delete from comment_likes where comment_id in (${ids})`.execute(tx);
  await tx
    .updateTable("comments")
    .set({ body: "", deleted: 1, removed: 0, like_count: 0, ai_like_count: 0 })
    .where(these)
    .execute();
  await takeOutBarePlaces(tx, these);
  await tx.updateTable("comments").set({ user_id: null }).where(these).execute();
}

/** Takes out those places, and the empty ones above them, that nothing hangs on any more. */
async function takeOutBarePlaces(tx: Db, these: RawBuilder<boolean>): Promise<void> {
  const bare = barePlaces(these);
  await sql`
    ${bare} update comments set reply_count = reply_count - lost.replies
    from (
      select c.parent_id, count(*) as replies from comments c join bare on bare.id = c.id group by c.parent_id
    ) as lost
    where comments.id = lost.parent_id
  `.execute(tx);
  await sql`${bare} delete from comments where id in (select id from bare)`.execute(tx);
}

/**
 * A `with` clause for `bare`. Only these places and the empty ones above them can have become bare. Of these,
 * `held` are those with a reply that is none of them (it is there, or an empty place that holds something), and what
 * is above such a place.
 */
function barePlaces(these: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`with recursive
    places (id, parent_id) as (
      select id, parent_id from comments where ${these}
      union
      select above.id, above.parent_id from places join comments above on above.id = places.parent_id
      where above.deleted = 1 and above.removed = 0
    ),
    held (id, parent_id) as (
      select places.id, places.parent_id from places
      where exists (
        select 1 from comments reply
        where reply.parent_id = places.id and reply.id not in (select id from places)
      )
      union
      select above.id, above.parent_id from held join comments above on above.id = held.parent_id
      where above.deleted = 1
    ),
    bare (id) as (select id from places where id not in (select id from held))`;
}

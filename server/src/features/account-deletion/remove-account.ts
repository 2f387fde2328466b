import { type RawBuilder, sql } from "kysely";
import { forgetResponses } from "../../http/idempotency.ts";
import type { Db } from "../../storage/storage.ts";
import { removeCommentsOf } from "../comments/remove-comments-of.ts";
import { leaveCommunities } from "../communities/hand-over.ts";
import { deleteUnusedCreators } from "../creators/creators.queries.ts";
import { dropConversationsOf } from "../messages/messages.queries.ts";
import { dropNotifications } from "../notifications/notifications.queries.ts";
import { dropMutesOf } from "../people/mutes.ts";
import { deleteVotes } from "../posts/polls.ts";
import { removePosts } from "../posts/remove-posts.ts";
import { removeReposts } from "../posts/reposts.ts";
import { unlikeAll } from "../posts/unlike-all.ts";
import { logCurrentDeletions } from "../transparency-log/current.ts";

/**
 * Removes an account with its posts and everything on them, its comments, likes, follows, keys and sessions. A comment on
 * someone else's post stays as an empty one, marked as deleted, if it has replies. Rows that belong to the account alone
 * are deleted with it by the database.
 */
export async function removeAccount(tx: Db, userId: number): Promise<void> {
  // Blocks every insert that references the account, even a like, until the transaction ends.
  if (tx.engine.rowLocks)
    await tx.selectFrom("users").select("id").where("id", "=", userId).forUpdate().execute();
  await forgetResponses(tx, userId);
  const creator = sql<number>`select id from creators where user_id = ${userId}`;
  await removePosts(
    tx,
    sql<number>`select id from posts where creator_id in (${creator})
      union all select post_id from removed_posts where creator_id in (${creator})`,
  );
  await leaveCommunities(tx, userId);
  await removeCommentsOf(tx, userId);
  await unlikeAll(tx, userId);
  await removeReposts(tx, userId, sql`select post_id from reposts where user_id = ${userId}`);
  await deleteVotes(tx, userId, sql`select post_id from poll_votes where user_id = ${userId}`);
  await sql`update creators set follower_count = follower_count - 1
    where id in (select creator_id from follows where user_id = ${userId})`.execute(tx);
  await deleteUnusedCreators(
    tx,
    sql`select creator_id from follows where user_id = ${userId}
      union select creator_id from mutes where user_id = ${userId} and creator_id is not null
      union select creator_id from list_members where user_id = ${userId}`,
    userId,
  );
  await dropMutesOf(tx, creator, sql`select user_id from mutes where creator_id in (${creator})`);
  await dropConversationsOf(tx, userId);
  await dropNotifications(tx, sql`actor_id = ${userId}`);
  await removeProducts(tx, sql`select id from products where user_id = ${userId}`);
  await endProfile(tx, userId);
  await tx.engine.creatorSearch.remove(tx, creator);
  await tx.deleteFrom("users").where("id", "=", userId).execute();
}

/**
 * Removes these products of the account, and their clicks. Deleted before that is logged: it waits for a concurrent edit. `ids` is a
 * query of ids.
 */
export async function removeProducts(tx: Db, ids: RawBuilder<number>): Promise<void> {
  const { rows } = await sql<{ id: number }>`delete from products where id in (${ids}) returning id`.execute(
    tx,
  );
  await logCurrentDeletions(
    tx,
    "product",
    rows.map(({ id }) => id),
  );
}

/** Ends the account's live stream, and logs that and the end of its profile. */
export async function endProfile(tx: Db, userId: number): Promise<void> {
  await tx.deleteFrom("lives").where("user_id", "=", userId).execute();
  for (const kind of ["live", "profile"] as const) await logCurrentDeletions(tx, kind, [userId]);
}

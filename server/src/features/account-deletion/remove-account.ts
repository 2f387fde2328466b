import { sql } from "kysely";
import { forgetAnswers } from "../../http/idempotency.ts";
import type { Db } from "../../storage/storage.ts";
import { removeCommentsOf } from "../comments/remove-comments-of.ts";
import { forgetUnknown } from "../creators/creators.queries.ts";
import { dropConversationsOf } from "../messages/messages.queries.ts";
import { dropNotifications } from "../notifications/notifications.queries.ts";
import { removePosts } from "../posts/remove-posts.ts";
import { unlikeAll } from "../posts/unlike-all.ts";

/**
 * Removes an account with its posts and their dependants, its comments, likes, follows, keys and sessions
 * (decisions: small print). What hangs on the account alone goes with its row.
 */
export async function removeAccount(tx: Db, userId: number): Promise<void> {
  // Nothing is added meanwhile that would hang on the account: not even a like.
  if (tx.engine.rowLocks)
    await tx.selectFrom("users").select("id").where("id", "=", userId).forUpdate().execute();
  await forgetAnswers(tx, userId);
  const creator = sql<number>`select id from creators where user_id = ${userId}`;
  await removePosts(
    tx,
    sql<number>`select id from posts where creator_id in (${creator})
      union all select post_id from removed_posts where creator_id in (${creator})`,
  );
  await removeCommentsOf(tx, userId);
  await unlikeAll(tx, userId);
  await sql`update creators set follower_count = follower_count - 1
    where id in (select creator_id from follows where user_id = ${userId})`.execute(tx);
  await forgetUnknown(tx, sql`select creator_id from follows where user_id = ${userId}`, userId);
  await dropConversationsOf(tx, userId);
  await dropNotifications(tx, sql`actor_id = ${userId}`);
  await tx.engine.creatorSearch.remove(tx, creator);
  await tx.deleteFrom("users").where("id", "=", userId).execute();
}

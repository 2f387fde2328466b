import { sql } from "kysely";
import type { Db } from "../../storage/storage.ts";
import { dropNotifications } from "../notifications/notifications.queries.ts";

export async function areFriends(db: Db, userId: number, otherId: number): Promise<boolean> {
  const row = await db
    .selectFrom("friendships")
    .select("since")
    .where("user_id", "=", userId)
    .where("friend_id", "=", otherId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes the friendship or pending request between two accounts, and its notifications. */
export async function endFriendship(tx: Db, userId: number, otherId: number): Promise<void> {
  for (const [from, to] of [
    [userId, otherId],
    [otherId, userId],
  ] as const) {
    await tx.deleteFrom("friend_requests").where("from_id", "=", from).where("to_id", "=", to).execute();
    await tx.deleteFrom("friendships").where("user_id", "=", from).where("friend_id", "=", to).execute();
  }
  await dropNotifications(
    tx,
    sql`actor_id in (${userId}, ${otherId}) and type in ('friend_request', 'friend_accept')
      and user_id in (${userId}, ${otherId})`,
  );
}

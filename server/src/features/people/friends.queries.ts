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

/** Ends what there is of friendship between two, and takes back what told of it: a request, if it came no further. */
export async function endFriendship(tx: Db, userId: number, otherId: number): Promise<void> {
  for (const [one, other] of [
    [userId, otherId],
    [otherId, userId],
  ] as const) {
    await tx.deleteFrom("friend_requests").where("from_id", "=", one).where("to_id", "=", other).execute();
    await tx.deleteFrom("friendships").where("user_id", "=", one).where("friend_id", "=", other).execute();
  }
  await dropNotifications(
    tx,
    sql`actor_id in (${userId}, ${otherId}) and type in ('friend_request', 'friend_accept')
      and user_id in (${userId}, ${otherId})`,
  );
}

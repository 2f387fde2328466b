import { limits } from "@tandem/contract/limits";
import type { Notification } from "@tandem/contract/notifications";
import { userChannel } from "../../events/channels.ts";
import { asNotification, selectNotifications } from "../../events/notifications.ts";
import type { Handlers } from "../../http/context.ts";
import { hideFromPlanner } from "../../storage/planner-hints.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";

export const notifications = {
  listNotifications: async (ctx) => {
    const { unread, read_upto } = await inbox(ctx.read, ctx.caller.userId);
    return { notifications: await latest(ctx.read, ctx.caller.userId, read_upto), unread };
  },
  countNotifications: async (ctx) => ({ unread: (await inbox(ctx.read, ctx.caller.userId)).unread }),
  readNotifications: (ctx) =>
    ctx.write(async (tx) => {
      await markRead(tx, ctx.caller.userId);
      return { unread: 0 };
    }),
} satisfies Handlers<"listNotifications" | "countNotifications" | "readNotifications">;

async function inbox(db: Db, userId: number) {
  return db
    .selectFrom("users")
    .select(["unread", "read_upto"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
}

async function latest(db: Db, userId: number, readUpTo: number): Promise<Notification[]> {
  const rows = await latestOf(db, userId).execute();
  return rows.map((row) => asNotification(row, readUpTo));
}

export function latestOf(db: Db, userId: number) {
  const ids = db
    .selectFrom("notifications")
    .select("id")
    .where("user_id", "=", hideFromPlanner(userId))
    .orderBy("id", "desc")
    .limit(limits.notifications);
  // Selects the ids first, so that actors are joined for these alone.
  return selectNotifications(db).where("n.id", "in", ids).orderBy("n.id", "desc");
}

/** Marks all notifications as read by moving one marker, however many there are. */
async function markRead(tx: Db, userId: number): Promise<void> {
  // Waits for concurrent inserts. Otherwise a new notification would not be counted as unread, but be above the marker.
  await lockAccount(tx, userId);
  await tx
    .updateTable("users")
    .set((eb) => ({
      unread: 0,
      read_upto: eb.fn.coalesce(
        eb
          .selectFrom("notifications")
          .select((inner) => inner.fn.max("id").as("latest"))
          .where("user_id", "=", hideFromPlanner(userId)),
        eb.ref("read_upto"),
      ),
    }))
    .where("id", "=", userId)
    .execute();
  tx.channels.add(userChannel(userId));
}

import { limits } from "@tandem/contract/limits";
import type { Notification } from "@tandem/contract/resources";
import type { Handlers } from "../../http/context.ts";
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

async function latest(db: Db, userId: number, readUpto: number): Promise<Notification[]> {
  const rows = await db
    .selectFrom("notifications as n")
    .innerJoin("users as actor", "actor.id", "n.actor_id")
    .select(["n.id", "n.type", "n.post_id", "n.comment_id", "n.key_hint", "n.decision_id", "n.created_at"])
    .select(["actor.username", "actor.display_name", "actor.avatar_url", "actor.role"])
    .where("n.user_id", "=", userId)
    .orderBy("n.id", "desc")
    .limit(limits.notifications)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    actor: {
      username: row.username,
      displayName: row.display_name,
      avatarUrl: row.avatar_url,
      isAgent: row.role === "agent",
    },
    postId: row.post_id,
    commentId: row.comment_id,
    decisionId: row.decision_id,
    keyHint: row.key_hint,
    read: row.id <= readUpto,
    createdAt: new Date(row.created_at).toISOString(),
  }));
}

/** All are read at once by moving one mark, however many there are. */
async function markRead(tx: Db, userId: number): Promise<void> {
  // Whoever adds a notice at the same time is waited for: it would count as read without being marked so.
  await lockAccount(tx, userId);
  await tx
    .updateTable("users")
    .set((eb) => ({
      unread: 0,
      read_upto: eb.fn.coalesce(
        eb
          .selectFrom("notifications")
          .select((inner) => inner.fn.max("id").as("latest"))
          .where("user_id", "=", userId),
        eb.ref("read_upto"),
      ),
    }))
    .where("id", "=", userId)
    .execute();
}

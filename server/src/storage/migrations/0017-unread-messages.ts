import { sql } from "kysely";
import type { Db } from "../storage.ts";

/** Counts an account's unread messages from its conversations with unread messages only. */
export async function unreadMessages(db: Db): Promise<void> {
  await db.schema
    .createIndex("conversation_sides_unread")
    .on("conversation_sides")
    .columns(["user_id", "unread"])
    .where(sql<boolean>`unread > 0`)
    .execute();
}

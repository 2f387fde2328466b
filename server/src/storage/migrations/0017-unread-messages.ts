import { sql } from "kysely";
import type { Db } from "../storage.ts";

/** How many messages of an account are unread is counted over the conversations in which any is, however many others it has. */
export async function unreadMessages(db: Db): Promise<void> {
  await db.schema
    .createIndex("conversation_sides_unread")
    .on("conversation_sides")
    .columns(["user_id", "unread"])
    .where(sql<boolean>`unread > 0`)
    .execute();
}

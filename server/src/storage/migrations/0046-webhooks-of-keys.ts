import { sql } from "kysely";
import type { Db } from "../storage.ts";

/**
 * Keys create webhooks, which are deleted with them. The names of two operations, which are stored with what keys and agents
 * did, say that they write.
 */
export async function webhooksOfKeys(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema
    .alterTable("webhooks")
    .addColumn("key_id", integer, (c) => c.references("keys.id").onDelete("cascade"))
    .execute();
  await db.schema
    .createIndex("webhooks_key_id")
    .on("webhooks")
    .column("key_id")
    .where(sql<boolean>`key_id is not null`)
    .execute();
  // In one statement, because it reads the whole table.
  await sql`update activity
    set operation = case operation when 'readMessages' then 'markConversationRead' else 'markNotificationsRead' end
    where operation in ('readMessages', 'readNotifications')`.execute(db);
}

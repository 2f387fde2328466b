import type { Db } from "../storage.ts";

/**
 * Notifications that were opened one by one, above the marker up to which all are read. The index by type also tells them
 * apart, so that the unread ones are listed without reading the others.
 */
export async function openedNotifications(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema
    .alterTable("notifications")
    .addColumn("opened", integer, (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createIndex("notifications_user_id_type_opened_id")
    .on("notifications")
    .columns(["user_id", "type", "opened", "id"])
    .execute();
  await db.schema.dropIndex("notifications_user_id_type_id").execute();
}

import type { Db } from "../storage.ts";

/** Lists an account's notifications of some types without reading those of others. */
export async function notificationTypes(db: Db): Promise<void> {
  await db.schema
    .createIndex("notifications_user_id_type_id")
    .on("notifications")
    .columns(["user_id", "type", "id"])
    .execute();
}

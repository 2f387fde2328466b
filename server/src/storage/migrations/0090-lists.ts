import type { Db } from "../storage.ts";

/** Lists of creators. Members name the list's account, too, to tell whose lists keep a creator. */
export async function lists(db: Db): Promise<void> {
  const { id, integer } = db.engine.types;
  await db.schema
    .createTable("lists")
    .addColumn("id", id)
    .addColumn("user_id", integer, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("created_at", integer, (c) => c.notNull())
    .execute();
  await db.schema.createIndex("lists_of").on("lists").columns(["user_id", "id"]).execute();
  await db.schema
    .createTable("list_members")
    .addColumn("list_id", integer, (c) => c.notNull().references("lists.id").onDelete("cascade"))
    .addColumn("creator_id", integer, (c) => c.notNull().references("creators.id").onDelete("cascade"))
    .addColumn("user_id", integer, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addPrimaryKeyConstraint("list_members_pk", ["list_id", "creator_id"])
    .execute();
  await db.schema
    .createIndex("list_members_creator")
    .on("list_members")
    .columns(["creator_id", "user_id"])
    .execute();
  await db.schema.createIndex("list_members_user").on("list_members").column("user_id").execute();
}

import { sql } from "kysely";
import type { Db } from "../storage.ts";

/** Communities that are created here, with their members and pinned posts. */
export async function communities(db: Db): Promise<void> {
  await tables(db);
  await indexes(db);
  await pictures(db);
}

async function tables(db: Db): Promise<void> {
  const { id, integer, clustered } = db.engine.types;
  await db.schema
    .createTable("communities")
    .addColumn("id", id)
    .addColumn("name", "text", (c) => c.notNull().unique())
    .addColumn("description", "text")
    .addColumn("rules", "text")
    .addColumn("picture_url", "text")
    .addColumn("picture_is_ai", integer, (c) => c.notNull().defaultTo(0))
    .addColumn("ai_policy", "text", (c) => c.notNull())
    .addColumn("member_count", integer, (c) => c.notNull().defaultTo(0))
    .addColumn("post_count", integer, (c) => c.notNull().defaultTo(0))
    .addColumn("created_at", integer, (c) => c.notNull())
    .addColumn("active_at", integer, (c) => c.notNull())
    .addColumn("closed_at", integer)
    .execute();
  await db.schema
    .createTable("community_members")
    .addColumn("community_id", integer, (c) => c.notNull().references("communities.id").onDelete("cascade"))
    .addColumn("user_id", integer, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("role", "text", (c) => c.notNull())
    .addColumn("approved", integer, (c) => c.notNull().defaultTo(0))
    .addColumn("since", integer, (c) => c.notNull())
    .addColumn("reason", "text")
    .addPrimaryKeyConstraint("community_members_key", ["community_id", "user_id"])
    .modifyEnd(clustered)
    .execute();
  await db.schema
    .createTable("community_pins")
    .addColumn("community_id", integer, (c) => c.notNull().references("communities.id").onDelete("cascade"))
    .addColumn("post_id", integer, (c) => c.notNull().references("posts.id").onDelete("cascade"))
    .addColumn("pinned_at", integer, (c) => c.notNull())
    .addPrimaryKeyConstraint("community_pins_key", ["community_id", "post_id"])
    .modifyEnd(clustered)
    .execute();
}

async function indexes(db: Db): Promise<void> {
  const open = sql<boolean>`closed_at is null`;
  for (const column of ["active_at", "created_at"])
    await db.schema
      .createIndex(`communities_by_${column}`)
      .on("communities")
      .columns([column, "id"])
      .where(open)
      .execute();
  await db.schema
    .createIndex("communities_by_name")
    .on("communities")
    .expression(sql`(name ${db.engine.binaryCollation})`)
    .execute();
  await db.schema
    .createIndex("community_members_of")
    .on("community_members")
    .columns(["user_id", "role", "community_id"])
    .execute();
  await db.schema
    .createIndex("community_members_staff")
    .on("community_members")
    .columns(["community_id", "role", "user_id"])
    .where(sql<boolean>`role <> 'member'`)
    .execute();
  await db.schema.createIndex("community_pins_post").on("community_pins").column("post_id").execute();
  // Imported communities are in the same list.
  const imported = sql<boolean>`community is not null and imported > 0`;
  for (const [name, at] of [
    ["active_at", sql`(coalesce(newest_at, created_at))`],
    ["created_at", sql`created_at`],
  ] as const)
    await db.schema
      .createIndex(`sources_communities_by_${name}`)
      .on("sources")
      .expression(at)
      .where(imported)
      .execute();
  // Apart from imported posts, of which a community of the same name may have very many.
  for (const order of [["id"], ["hot_rank", "id"]])
    await db.schema
      .createIndex(["posts_native_community", ...order].join("_"))
      .on("posts")
      .columns(["community_key", ...order])
      .where(sql<boolean>`platform = 'native' and community_key is not null`)
      .execute();
}

async function pictures(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema
    .alterTable("media")
    .addColumn("community_id", integer, (c) => c.references("communities.id").onDelete("set null"))
    .execute();
  await db.schema
    .createIndex("media_community_id")
    .on("media")
    .column("community_id")
    .where(sql<boolean>`community_id is not null`)
    .execute();
}

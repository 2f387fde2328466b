import { sql } from "kysely";
import type { Db } from "../storage.ts";

/** Decisions of communities' moderators, and bans that end. */
export async function communityModeration(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema.alterTable("community_members").addColumn("until_at", integer).execute();
  await db.schema
    .alterTable("decisions")
    .addColumn("community_id", integer, (c) => c.references("communities.id").onDelete("set null"))
    .execute();
  await db.schema
    .createIndex("decisions_by_community")
    .on("decisions")
    .columns(["community_id", "id"])
    .where(sql<boolean>`community_id is not null`)
    .execute();
}

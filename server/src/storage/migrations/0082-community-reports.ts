import { sql } from "kysely";
import type { Db } from "../storage.ts";

/** Reports of what is in a community reach its moderators. Earlier reports are left to the service's admins. */
export async function communityReports(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema
    .alterTable("report_cases")
    .addColumn("community_id", integer, (c) => c.references("communities.id").onDelete("set null"))
    .execute();
  for (const column of ["community_state", "community_outcome"])
    await db.schema.alterTable("report_cases").addColumn(column, "text").execute();
  for (const [column, value] of [
    ["for_admins", 1],
    ["illegal", 0],
  ] as const)
    await db.schema
      .alterTable("report_cases")
      .addColumn(column, integer, (c) => c.notNull().defaultTo(value))
      .execute();
  await db.schema
    .createIndex("report_cases_by_community")
    .on("report_cases")
    .columns(["community_id", "community_state", "id"])
    .where(sql<boolean>`community_id is not null`)
    .execute();
  await db.schema
    .createIndex("report_cases_for_admins")
    .on("report_cases")
    .columns(["state", "for_admins", "id"])
    .execute();
}

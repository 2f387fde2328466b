import { sql } from "kysely";
import type { Db } from "../storage.ts";

/**
 * Versions of posts and comments. The current one is the row itself; earlier ones are in tables of their own. What was
 * edited before this migration becomes version 2: its version 1 existed, but wasn't kept.
 */
export async function versions(db: Db): Promise<void> {
  for (const subject of ["post", "comment"] as const) {
    await addColumns(db, `${subject}s`);
    await earlierVersions(db, subject);
  }
  // Quotation marks in texts are escaped, so only the field matches.
  await sql`update posts set version = 2 where fragment like '%,"editedAt":"%'`.execute(db);
  await sql`update comments set version = 2 where edited_at is not null`.execute(db);
}

async function addColumns(db: Db, table: "posts" | "comments"): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema
    .alterTable(table)
    .addColumn("version", integer, (c) => c.notNull().defaultTo(1))
    .execute();
  // When the current version was made, who made it, and with which key; null for the first.
  for (const [column, type] of [
    ["version_at", integer],
    ["version_by", "text"],
    ["edited_with", integer],
  ] as const)
    await db.schema.alterTable(table).addColumn(column, type).execute();
}

async function earlierVersions(db: Db, subject: "post" | "comment"): Promise<void> {
  const { integer, clustered } = db.engine.types;
  const id = `${subject}_id`;
  await db.schema
    .createTable(`${subject}_versions`)
    .addColumn(id, integer, (c) => c.notNull().references(`${subject}s.id`).onDelete("cascade"))
    .addColumn("version", integer, (c) => c.notNull())
    .addColumn("made_at", integer, (c) => c.notNull())
    .addColumn("made_by", "text", (c) => c.notNull())
    .addColumn("key_id", integer)
    .addColumn("provenance", "text", (c) => c.notNull())
    .addColumn("basis", "text", (c) => c.notNull())
    .addColumn("content", "text")
    .addColumn("cleared_at", integer)
    .addColumn("cleared_by", "text")
    .addPrimaryKeyConstraint(`${subject}_versions_key`, [id, "version"])
    .modifyEnd(clustered)
    .execute();
}

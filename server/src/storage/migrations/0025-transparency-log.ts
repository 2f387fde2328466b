import type { Db } from "../storage.ts";

/** The transparency log: its keys, entries, tiles and head, and the receipts of posts and comments. */
export async function transparencyLog(db: Db): Promise<void> {
  await log(db);
  for (const subject of ["post", "comment"] as const) await receipts(db, subject);
  // The hash of the file as it is served. Null for files from before.
  await db.schema.alterTable("media_files").addColumn("sha256", "text").execute();
}

async function log(db: Db): Promise<void> {
  const { id, integer, clustered } = db.engine.types;
  await db.schema
    .createTable("log_keys")
    .addColumn("kid", "text", (c) => c.primaryKey())
    .addColumn("public_key", "text", (c) => c.notNull())
    .addColumn("private_key", "text")
    .addColumn("created_at", integer, (c) => c.notNull())
    .addColumn("retired_at", integer)
    .execute();
  await db.schema
    .createTable("log_head")
    .addColumn("id", integer, (c) => c.primaryKey())
    .addColumn("origin", "text", (c) => c.notNull())
    .addColumn("size", integer, (c) => c.notNull())
    .addColumn("root_hash", "text", (c) => c.notNull())
    .addColumn("checkpoint", "text", (c) => c.notNull())
    .addColumn("signed_at", integer, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("log_pending")
    .addColumn("id", id)
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("subject_id", integer, (c) => c.notNull())
    .addColumn("version", integer, (c) => c.notNull())
    .addColumn("salt", "text")
    .addColumn("entry", "text")
    .execute();
  await db.schema
    .createIndex("log_pending_subject")
    .on("log_pending")
    .columns(["kind", "subject_id"])
    .execute();
  await db.schema
    .createTable("log_entries")
    .addColumn("position", integer, (c) => c.primaryKey())
    .addColumn("entry", "text", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("log_tiles")
    .addColumn("level", integer, (c) => c.notNull())
    .addColumn("number", integer, (c) => c.notNull())
    .addColumn("hashes", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("log_tiles_key", ["level", "number"])
    .modifyEnd(clustered)
    .execute();
}

/** Deleted with the post or comment, and with them the salts: what remains in the log then proves nothing about the text. */
async function receipts(db: Db, subject: "post" | "comment"): Promise<void> {
  const { integer, clustered } = db.engine.types;
  const id = `${subject}_id`;
  await db.schema
    .createTable(`${subject}_receipts`)
    .addColumn(id, integer, (c) => c.notNull().references(`${subject}s.id`).onDelete("cascade"))
    .addColumn("version", integer, (c) => c.notNull())
    .addColumn("salt", "text", (c) => c.notNull())
    .addColumn("position", integer, (c) => c.notNull())
    .addPrimaryKeyConstraint(`${subject}_receipts_key`, [id, "version"])
    .modifyEnd(clustered)
    .execute();
}

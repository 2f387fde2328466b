import { sql } from "kysely";
import type { Db } from "../storage.ts";

/** The cache of pictures of other hosts. */
export async function remotePictures(db: Db): Promise<void> {
  const { integer, clustered } = db.engine.types;
  await db.schema
    .createTable("remote_pictures")
    .addColumn("key", "text", (c) => c.primaryKey())
    .addColumn("file", "text")
    .addColumn("bytes", integer, (c) => c.notNull().defaultTo(0))
    .addColumn("expires_at", integer, (c) => c.notNull().defaultTo(0))
    .addColumn("used_at", integer, (c) => c.notNull())
    .addColumn("lease_ends_at", integer, (c) => c.notNull())
    .modifyEnd(clustered)
    .execute();
  await db.schema
    .createIndex("remote_pictures_file")
    .on("remote_pictures")
    .column("file")
    .where(sql<boolean>`file is not null`)
    .execute();
  await db.schema
    .createIndex("remote_pictures_expiring")
    .on("remote_pictures")
    .column("expires_at")
    .execute();
  // Contains the sizes, so that adding them up reads no rows.
  await db.schema
    .createIndex("remote_pictures_used")
    .on("remote_pictures")
    .columns(["used_at", "bytes"])
    .execute();
}

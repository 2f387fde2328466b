import type { Db } from "../storage.ts";

/** The post whose comments are a stream's chat, and how many watch it. */
export async function liveChat(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  for (const table of ["lives", "stream_keys"])
    await db.schema.alterTable(table).addColumn("post_id", integer).execute();
  await db.schema.createIndex("lives_post_id").on("lives").column("post_id").execute();
  await db.schema
    .createTable("live_viewers")
    .addColumn("user_id", integer, (c) => c.notNull())
    .addColumn("process", "text", (c) => c.notNull())
    .addColumn("viewers", integer, (c) => c.notNull())
    .addColumn("counted_at", integer, (c) => c.notNull())
    .addPrimaryKeyConstraint("live_viewers_key", ["user_id", "process"])
    .execute();
}

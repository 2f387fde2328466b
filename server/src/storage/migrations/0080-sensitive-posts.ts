import type { Db } from "../storage.ts";

/** Posts with a content warning or sensitive media, and how an account wants them displayed. */
export async function sensitivePosts(db: Db): Promise<void> {
  await db.schema
    .alterTable("posts")
    .addColumn("sensitive", db.engine.types.integer, (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable("users")
    .addColumn("sensitive_posts", "text", (c) => c.notNull().defaultTo("warn"))
    .execute();
}

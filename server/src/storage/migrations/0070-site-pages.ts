import type { Db } from "../storage.ts";

/** The pages that the operator writes: terms, privacy policy, rules and contact. */
export async function sitePages(db: Db): Promise<void> {
  await db.schema
    .createTable("site_pages")
    .addColumn("name", "text", (c) => c.primaryKey())
    .addColumn("body", "text", (c) => c.notNull())
    .addColumn("updated_at", db.engine.types.integer, (c) => c.notNull())
    .execute();
}

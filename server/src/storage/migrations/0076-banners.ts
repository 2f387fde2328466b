import type { Db } from "../storage.ts";

/** The picture across the top of a profile. */
export async function banners(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema.alterTable("users").addColumn("banner_url", "text").execute();
  for (const [table, column] of [
    ["users", "banner_is_ai"],
    ["media", "is_banner"],
  ] as const)
    await db.schema
      .alterTable(table)
      .addColumn(column, integer, (c) => c.notNull().defaultTo(0))
      .execute();
}

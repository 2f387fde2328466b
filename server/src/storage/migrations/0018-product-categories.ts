import type { Db } from "../storage.ts";

/** The products of one category are found without looking at all others. */
export async function productCategories(db: Db): Promise<void> {
  await db.schema.createIndex("products_category_id").on("products").columns(["category", "id"]).execute();
}

import type { Db } from "../storage.ts";

/** Lists the products of one category without a scan. */
export async function productCategories(db: Db): Promise<void> {
  await db.schema.createIndex("products_category_id").on("products").columns(["category", "id"]).execute();
}

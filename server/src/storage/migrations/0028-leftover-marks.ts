import { sql } from "kysely";
import type { Db } from "../storage.ts";

/** The mark of AI content on a profile's links, and the queue that rewrites the cards of a product on many posts. */
export async function leftoverMarks(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema
    .alterTable("users")
    .addColumn("links_is_ai", integer, (c) => c.notNull().defaultTo(0))
    .execute();
  // Only an agent can have set an agent's links; of others it isn't known.
  await sql`update users set links_is_ai = 1
    where role = 'agent' and id in (select user_id from profile_links)`.execute(db);
  for (const column of ["due_at", "lease_ends_at", "cards_key_id"] as const)
    await db.schema.alterTable("products").addColumn(column, integer).execute();
  await db.schema.alterTable("products").addColumn("holder", "text").execute();
  for (const column of ["cards_after", "cards_stamp"] as const)
    await db.schema
      .alterTable("products")
      .addColumn(column, integer, (c) => c.notNull().defaultTo(0))
      .execute();
  await db.schema
    .createIndex("products_due")
    .on("products")
    .columns(["due_at", "id"])
    .where(sql<boolean>`due_at is not null`)
    .execute();
  // The posts of a product, in the order in which they are rewritten.
  await db.schema
    .createIndex("post_products_product_id_post_id")
    .on("post_products")
    .columns(["product_id", "post_id"])
    .execute();
  await db.schema.dropIndex("post_products_product_id").execute();
}

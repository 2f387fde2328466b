import { DAY } from "@tandem/contract/durations";
import { sql } from "kysely";
import { notFound } from "../../http/api-error.ts";
import type { Handlers } from "../../http/context.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";

const NO_POST = 0;

export const clicks = {
  openProduct: async (ctx, { id, post }) => {
    const [product] = await productById(ctx.read, { id });
    if (!product) throw notFound("product");
    // A HEAD request is no click.
    if (ctx.method === "GET") {
      await ctx.services.storage
        .write((tx) => countClick(tx, id, product.user_id, post ?? null, ctx.now))
        // Redirect even if the click can't be counted.
        .catch((err: unknown) =>
          ctx.services.log.error({ err, product: id }, "counting a product click failed"),
        );
    }
    return { location: product.url };
  },
} satisfies Handlers<"openProduct">;

/** Counts a click for the product and its owner, and for the post if it shows the product. */
async function countClick(
  tx: Db,
  productId: number,
  ownerId: number,
  postId: number | null,
  now: number,
): Promise<void> {
  const matches = postId === null ? [] : await countForPost(tx, { productId, postId });
  const post_id = matches.length > 0 && postId !== null ? postId : NO_POST;
  await tx
    .insertInto("product_clicks")
    .values({ product_id: productId, post_id, day: Math.floor(now / DAY), clicks: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(["product_id", "day", "post_id"])
        .doUpdateSet((eb) => ({ clicks: eb("product_clicks.clicks", "+", 1) })),
    )
    .execute();
  await countForOwner(tx, { ownerId });
}

/** Clicks on an owner's products on the last seven UTC days, including today. */
export async function recentClicks(db: Db, ownerId: number, now: number): Promise<number> {
  const { clicks } = await db
    .selectFrom("products as p")
    .innerJoin("product_clicks as c", "c.product_id", "p.id")
    .select(sql<number>`coalesce(sum(c.clicks), 0)`.as("clicks"))
    .where("p.user_id", "=", ownerId)
    .where("c.day", ">", Math.floor(now / DAY) - 7)
    .executeTakeFirstOrThrow();
  return Number(clicks);
}

const productById = prepared<{ id: number }, { url: string; user_id: number }>((db, { id }) =>
  db.selectFrom("products").select(["url", "user_id"]).where("id", "=", id).compile(),
);

const countForPost = prepared<{ productId: number; postId: number }, { id: number }>(
  (db, { productId, postId }) =>
    db
      .updateTable("posts")
      .set((eb) => ({ click_count: eb("click_count", "+", 1) }))
      .where("id", "=", postId)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom("post_products")
            .select("post_id")
            .where("post_id", "=", postId)
            .where("product_id", "=", productId),
        ),
      )
      .returning("id")
      .compile(),
);

const countForOwner = prepared<{ ownerId: number }, never>((db, { ownerId }) =>
  db
    .updateTable("creators")
    .set((eb) => ({ click_count: eb("click_count", "+", 1) }))
    .where("user_id", "=", ownerId)
    .compile(),
);

import { DAY } from "@tandem/contract/durations";
import { sql } from "kysely";
import { ApiError, notFound } from "../../http/api-error.ts";
import type { Handlers } from "../../http/context.ts";
import { refuseDenied } from "../../http/denied-links.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";
import { clickCounterOf } from "./click-counter.ts";

export const clicks = {
  openProduct: async (ctx, { id, post }) => {
    const { read, now } = ctx;
    const [product] = await productById(read, { id, post: post ?? null });
    if (!product || (product.suspended_until ?? 0) > now) throw notFound("product");
    await refuseBlocked(read, product.url);
    // A HEAD request is no click.
    if (ctx.method === "GET")
      clickCounterOf(ctx.services).count({
        productId: id,
        ownerId: product.user_id,
        postId: product.post_id,
        day: Math.floor(now / DAY),
      });
    return { location: product.url };
  },
} satisfies Handlers<"openProduct">;

/** Throws `not_found` if moderators blocked the link after the product was added. */
async function refuseBlocked(db: Db, url: string): Promise<void> {
  await refuseDenied(db, [{ name: "url", value: url }]).catch((error) => {
    if (!(error instanceof ApiError) || error.code !== "denied_link") throw error;
    throw new ApiError("not_found", "This product links to a blocked domain.");
  });
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

interface ClickedProduct {
  url: string;
  user_id: number;
  suspended_until: number | null;
  /** The post, if it shows the product. */
  post_id: number | null;
}

const productById = prepared<{ id: number; post: number | null }, ClickedProduct>((db, { id, post }) =>
  db
    .selectFrom("products as p")
    .innerJoin("users as u", "u.id", "p.user_id")
    .leftJoin("post_products as a", (join) =>
      join.onRef("a.product_id", "=", "p.id").on("a.post_id", "=", post),
    )
    .select(["p.url", "p.user_id", "u.suspended_until", "a.post_id"])
    .where("p.id", "=", id)
    .compile(),
);

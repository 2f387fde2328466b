import { limits } from "@tandem/contract/limits";
import { sql } from "kysely";
import { invalid, notFound } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import type { Handlers } from "../../http/context.ts";
import { refuseDenied } from "../../http/denied-links.ts";
import type { Db } from "../../storage/storage.ts";
import { editFacts, lockPost, postAnswer, requireOwn } from "../posts/posts.queries.ts";
import { refreshCards } from "./cards.ts";

export const attachments = {
  attachProduct: (ctx, { id, productId }) =>
    ctx.write(async (tx) => {
      const { caller, now } = ctx;
      const post = await lockPost(tx, id);
      await requireOwnProducts(tx, caller, [productId], "productId");
      requireOwn(post, caller);
      if (await attach(tx, id, [productId], "productId")) {
        await refreshCards(tx, sql`${id}`, (facts) => editFacts(caller, facts, now));
      }
      return postAnswer(tx, id, caller);
    }),
} satisfies Handlers<"attachProduct">;

/** Gives a new post its products, which must be its author's own. */
export async function attachFirst(
  tx: Db,
  postId: number,
  caller: Caller,
  productIds: number[],
): Promise<void> {
  await requireOwnProducts(tx, caller, productIds, "productIds");
  if (await attach(tx, postId, productIds, "productIds")) await refreshCards(tx, sql`${postId}`);
}

/** Attaches products in that order; one that is attached already stays where it is. Tells whether any is new. */
async function attach(tx: Db, postId: number, productIds: number[], field: string): Promise<boolean> {
  const wanted = [...new Set(productIds)];
  const attached = await tx
    .selectFrom("post_products")
    .select(["product_id", "position"])
    .where("post_id", "=", postId)
    .execute();
  const known = new Set(attached.map((row) => row.product_id));
  const fresh = wanted.filter((id) => !known.has(id));
  if (known.size + fresh.length > limits.productsPerPost) {
    throw invalid(field, `A post shows at most ${limits.productsPerPost} products.`);
  }
  if (fresh.length === 0) return false;
  const next = Math.max(-1, ...attached.map((row) => row.position)) + 1;
  const rows = fresh.map((product_id, i) => ({ post_id: postId, product_id, position: next + i }));
  await tx.insertInto("post_products").values(rows).execute();
  await requireRoom(tx, fresh, field);
  return true;
}

async function requireRoom(tx: Db, productIds: number[], field: string): Promise<void> {
  const tooMany = await tx
    .selectFrom("post_products")
    .select("product_id")
    .where("product_id", "in", productIds)
    .groupBy("product_id")
    .having((eb) => eb.fn.countAll(), ">", limits.postsPerProduct)
    .limit(1)
    .executeTakeFirst();
  if (tooMany) throw invalid(field, `A product is shown on at most ${limits.postsPerProduct} posts.`);
}

/** Someone else's product is as good as none (decisions: small print), and one that leads to a denied host is shown on nothing new. */
export async function requireOwnProducts(
  tx: Db,
  caller: Caller,
  productIds: number[],
  field: string,
): Promise<void> {
  const ids = [...new Set(productIds)];
  const own = await tx
    .selectFrom("products")
    .select(["id", "url", "image_url"])
    .where("id", "in", ids)
    .where("user_id", "=", caller.userId)
    .execute();
  if (own.length < ids.length) throw notFound("product in your shop");
  await refuseDenied(
    tx,
    own.map(({ url, image_url }) => ({ name: field, value: [url, image_url] })),
  );
}

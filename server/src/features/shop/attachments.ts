import { limits } from "@tandem/contract/limits";
import type { ProductCard } from "@tandem/contract/resources";
import { sql } from "kysely";
import type { Caller } from "../../http/caller.ts";
import type { Handlers } from "../../http/context.ts";
import { invalid, notFound } from "../../http/problem.ts";
import type { Db } from "../../storage/storage.ts";
import { findOwnPost, postAnswer, readFacts, writeFacts } from "../posts/posts.queries.ts";

export const attachments = {
  attachProduct: (ctx, { id, productId }) =>
    ctx.write(async (tx) => {
      await findOwnPost(tx, id, ctx.caller);
      await attach(tx, id, ctx.caller, [productId], "productId");
      return postAnswer(tx, id, ctx.caller);
    }),
} satisfies Handlers<"attachProduct">;

/** Attaches products of the caller's own, in that order; one that is attached already stays where it is. */
export async function attach(
  tx: Db,
  postId: number,
  caller: Caller,
  productIds: number[],
  field: string,
): Promise<void> {
  const wanted = [...new Set(productIds)];
  await requireOwn(tx, caller, wanted);
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
  if (fresh.length === 0) return;
  const next = Math.max(-1, ...attached.map((row) => row.position)) + 1;
  const rows = fresh.map((product_id, i) => ({ post_id: postId, product_id, position: next + i }));
  await tx.insertInto("post_products").values(rows).execute();
  await refreshCards(tx, postId);
}

async function requireOwn(tx: Db, caller: Caller, ids: number[]): Promise<void> {
  const own = await tx
    .selectFrom("products")
    .select("id")
    .where("id", "in", ids)
    .where("user_id", "=", caller.userId)
    .execute();
  if (own.length < ids.length) throw notFound("product of yours");
}

/** Rewrites the cards in a post's text, after its products changed. */
export async function refreshCards(tx: Db, postId: number): Promise<void> {
  const facts = await readFacts(tx, postId);
  await writeFacts(tx, postId, { ...facts, products: await cards(tx, postId) });
}

async function cards(tx: Db, postId: number): Promise<ProductCard[]> {
  const rows = await tx
    .selectFrom("post_products as a")
    .innerJoin("products as p", "p.id", "a.product_id")
    .select(["p.id", "p.title", "p.image_url", "p.price"])
    .where("a.post_id", "=", postId)
    .orderBy("a.position")
    .orderBy(sql`a.product_id`)
    .execute();
  return rows.map(({ id, title, image_url, price }) => ({
    id,
    title,
    imageUrl: image_url,
    price: price === null ? null : JSON.parse(price),
    // Never the raw address (spec: products).
    url: `/out/${id}?post=${postId}`,
  }));
}

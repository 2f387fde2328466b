import { limits } from "@tandem/contract/limits";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { sql } from "kysely";
import { changedNothing } from "../../http/activity.ts";
import { invalid, notFound } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import type { Actor, Handlers, JsonText } from "../../http/context.ts";
import { refuseDenied } from "../../http/denied-links.ts";
import type { Db } from "../../storage/storage.ts";
import type { FoundCommunity } from "../communities/communities.queries.ts";
import { assertAiShown, assertMayPublish } from "../communities/publishing.ts";
import { markFilesLater } from "../posts/posters.ts";
import { lockPost, postResponse, requireOwn } from "../posts/posts.queries.ts";
import { aiMark } from "../shared/authorship.ts";
import { editorOf } from "../versions/keep-versions.ts";
import { refreshCards } from "./cards.ts";

export const attachments = {
  async attachProduct(ctx, input) {
    const response = await ctx.write((tx) => attachProduct(ctx, tx, input));
    markFilesLater(ctx);
    return response;
  },
} satisfies Handlers<"attachProduct">;

export async function attachProduct(
  call: Actor,
  tx: Db,
  { id, productId }: Input<Operations["attachProduct"]>,
): Promise<JsonText> {
  const { caller, now } = call;
  const post = await lockPost(tx, id);
  const { isAi } = await requireOwnProducts(tx, caller, [productId], "productId");
  requireOwn(post, caller);
  if (post.community !== null) {
    const community = await assertMayPublish(tx, "attachProduct", post.community, call);
    if (isAi) assertAiShown(community, caller, "productId");
  }
  if (!(await attach(tx, id, [productId], "productId")))
    return changedNothing(await postResponse(tx, id, call));
  await refreshCards(tx, sql`${id}`, { editor: editorOf(caller, now), stamps: aiMark(caller) === 1 });
  return postResponse(tx, id, call);
}

/** Attaches products to a new post, in a community if there is one. They must belong to its author. */
export async function attachFirst(
  tx: Db,
  postId: number,
  caller: Caller,
  productIds: number[],
  community: FoundCommunity | null,
): Promise<void> {
  const { isAi } = await requireOwnProducts(tx, caller, productIds, "productIds");
  if (community && isAi) assertAiShown(community, caller, "productIds");
  if (await attach(tx, postId, productIds, "productIds")) await refreshCards(tx, sql`${postId}`);
}

/** Appends products in the given order; those already attached keep their position. Returns whether any is new. */
async function attach(tx: Db, postId: number, productIds: number[], field: string): Promise<boolean> {
  const attached = await tx
    .selectFrom("post_products")
    .select(["product_id", "position"])
    .where("post_id", "=", postId)
    .execute();
  const attachedIds = new Set(attached.map((row) => row.product_id));
  const newIds = [...new Set(productIds)].filter((id) => !attachedIds.has(id));
  if (attachedIds.size + newIds.length > limits.productsPerPost) {
    throw invalid(field, `A post can show at most ${limits.productsPerPost} products.`);
  }
  if (newIds.length === 0) return false;
  const next = Math.max(-1, ...attached.map((row) => row.position)) + 1;
  const rows = newIds.map((product_id, i) => ({ post_id: postId, product_id, position: next + i }));
  await tx.insertInto("post_products").values(rows).execute();
  await requireBelowPostLimit(tx, newIds, field);
  return true;
}

async function requireBelowPostLimit(tx: Db, productIds: number[], field: string): Promise<void> {
  const tooMany = await tx
    .selectFrom("post_products")
    .select("product_id")
    .where("product_id", "in", productIds)
    .groupBy("product_id")
    .having((eb) => eb.fn.countAll(), ">", limits.postsPerProduct)
    .limit(1)
    .executeTakeFirst();
  if (tooMany)
    throw invalid(
      field,
      `A product can be shown on at most ${limits.postsPerProduct} posts. Attach another product.`,
    );
}

/** Those of these products that exist, of any seller, in the same order. */
export async function existingProducts(tx: Db, ids: readonly number[]): Promise<number[]> {
  const rows = await tx.selectFrom("products").select("id").where("id", "in", ids).execute();
  const existing = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => existing.has(id));
}

/** Whether one of these products is AI content. Throws `not_found` unless all products belong to the caller, and `denied_link` if one links to a denied host. */
export async function requireOwnProducts(
  tx: Db,
  caller: Caller,
  productIds: number[],
  field: string,
): Promise<{ isAi: boolean }> {
  const ids = [...new Set(productIds)];
  const own = await tx
    .selectFrom("products")
    .select(["id", "url", "image_url", "is_ai"])
    .where("id", "in", ids)
    .where("user_id", "=", caller.userId)
    .execute();
  if (own.length < ids.length) throw notFound("product in your shop");
  await refuseDenied(
    tx,
    own.map(({ url, image_url }) => ({ name: field, value: [url, image_url] })),
  );
  return { isAi: own.some(({ is_ai }) => is_ai === 1) };
}

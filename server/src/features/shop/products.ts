import { limits } from "@tandem/contract/limits";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { nativePlatform } from "@tandem/contract/origins";
import type { Product } from "@tandem/contract/post-resources";
import { MAX_ID } from "@tandem/contract/schema";
import { type RawBuilder, type Selectable, sql } from "kysely";
import { notFound } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import type { Actor, Call, Context, Handlers } from "../../http/context.ts";
import { pageOf } from "../../http/page.ts";
import { contentSignerOf } from "../../http/signature.ts";
import type { ProductRow } from "../../storage/schema.ts";
import type { Db } from "../../storage/storage.ts";
import { assertMayPublish } from "../communities/publishing.ts";
import { markFilesLater } from "../posts/posters.ts";
import { aiMark } from "../shared/authorship.ts";
import { logCurrent, logCurrentDeletions } from "../transparency-log/current.ts";
import { editorOf } from "../versions/keep-versions.ts";
import { refreshCards } from "./cards.ts";
import { lockFirstPosts, refreshCardsLater, startRefresh } from "./refresh-queue.ts";
import { trackedUrl } from "./tracked.ts";

export const products = {
  listProducts: (ctx, input) => listProducts(ctx, input),
  createProduct: (ctx, input) => ctx.write((tx) => createProduct(ctx, tx, input)),
  async editProduct(ctx, input) {
    const response = await ctx.write((tx) => editProduct(ctx, tx, input));
    markFilesLater(ctx);
    refreshCardsLater(ctx.services);
    return response;
  },
  deleteProduct: (ctx, input) => ctx.write((tx) => deleteProduct(ctx, tx, input)),
} satisfies Handlers<"listProducts" | "createProduct" | "editProduct" | "deleteProduct">;

async function listProducts(
  ctx: Context,
  { mine, category, limit = limits.page.default, cursor }: Input<Operations["listProducts"]>,
) {
  const owner = mine === 1 && ctx.caller ? ctx.caller.userId : null;
  const rows = await ctx.read
    .selectFrom("products as p")
    .innerJoin("users as u", "u.id", "p.user_id")
    .selectAll("p")
    .select(["u.username as seller", "u.display_name as sellerName"])
    .where("p.id", "<", cursor ?? MAX_ID)
    .$if(owner !== null, (query) => query.where("p.user_id", "=", owner))
    .$if(category !== undefined, (query) => query.where("p.category", "=", category ?? null))
    .orderBy("p.id", "desc")
    .limit(limit + 1)
    .execute();
  const { page, nextCursor } = pageOf(ctx, rows, limit);
  return { products: page.map((row) => asProduct(row, owner !== null)), nextCursor };
}

export async function createProduct({ caller, now }: Actor, tx: Db, input: NewProduct) {
  const row = await addProduct(tx, caller.userId, { ...input, isAi: aiMark(caller) }, now);
  await logCurrent(tx, "product", row.id, now, contentSignerOf(caller));
  return { product: await asOwnProduct(tx, row, caller) };
}

type NewProduct = Input<Operations["createProduct"]>;

/** Adds a product without checks; `isAi` is 0 or 1. */
export function addProduct(
  tx: Db,
  userId: number,
  input: NewProduct & { isAi: number },
  now: number,
): Promise<Selectable<ProductRow>> {
  return tx
    .insertInto("products")
    .values({
      user_id: userId,
      title: input.title,
      url: input.url,
      image_url: input.imageUrl ?? null,
      price: serializePrice(input.price ?? null),
      category: input.category ?? null,
      is_ai: input.isAi,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function editProduct(call: Actor, tx: Db, input: Input<Operations["editProduct"]>) {
  const { caller, now } = call;
  const before = await findOwnProduct(tx, input.id, caller);
  const row = await tx
    .updateTable("products")
    .set({
      title: input.title ?? before.title,
      url: input.url ?? before.url,
      image_url: input.imageUrl === undefined ? before.image_url : input.imageUrl,
      price: input.price === undefined ? before.price : serializePrice(input.price),
      category: input.category === undefined ? before.category : input.category,
      is_ai: aiMark(caller, before.is_ai),
    })
    .where("id", "=", input.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  // A key that changes the text of a card makes the posts that show it AI content.
  const isAiEdit = changesCard(before, row) && aiMark(caller) === 1;
  if (changesCard(before, row) || before.is_ai !== row.is_ai) {
    await assertMayChangeCards(tx, input.id, call);
    await startRefresh(tx, before, isAiEdit ? editorOf(caller, now) : null, now);
  }
  await logCurrent(tx, "product", row.id, now);
  return { product: await asOwnProduct(tx, row, caller) };
}

/** A card is part of the posts that show it, so changing it needs the permission to publish in all of their communities. */
async function assertMayChangeCards(tx: Db, productId: number, call: Actor): Promise<void> {
  // Posts are locked before communities.
  await lockFirstPosts(tx, productId);
  const { rows } = await communitiesShowing(productId).execute(tx);
  for (const { name } of rows) await assertMayPublish(tx, "attachProduct", name, call);
}

/** The communities of posts that show a product, all by its owner. In ascending id order, to avoid deadlocks. */
export function communitiesShowing(productId: number) {
  return sql<{ name: string }>`
    select c.name from (
      select distinct p.community_key from post_products a join posts p on p.id = a.post_id
      where a.product_id = ${productId} and p.platform = ${sql.lit(nativePlatform)} and p.community_key is not null
    ) as shown join communities c on c.name = shown.community_key
    order by c.id`;
}

function changesCard(before: Selectable<ProductRow>, after: Selectable<ProductRow>): boolean {
  return (["title", "image_url", "price"] as const).some((name) => before[name] !== after[name]);
}

function postsShowing(tx: Db, productIds: readonly number[]): RawBuilder<number> {
  return sql`select post_id from post_products where product_id in (${tx.engine.oneOf(productIds)})`;
}

export async function deleteProduct(call: Actor, tx: Db, { id }: Input<Operations["deleteProduct"]>) {
  await findOwnProduct(tx, id, call.caller);
  await removeProducts(tx, [id], call);
  return { deleted: true } as const;
}

/** Locks those of these products that are the account's, and then the posts that show them. Returns the products. */
export async function lockOwnProducts(tx: Db, ids: readonly number[], userId: number): Promise<number[]> {
  const own = await tx
    .selectFrom("products")
    .select("id")
    .where(sql<boolean>`id in (${tx.engine.oneOf(ids)})`)
    .where("user_id", "=", userId)
    .orderBy("id")
    .$if(tx.engine.rowLocks, (query) => query.forUpdate())
    .execute();
  const ownIds = own.map(({ id }) => id);
  if (tx.engine.rowLocks && ownIds.length > 0)
    await sql`select id from posts where id in (${postsShowing(tx, ownIds)}) order by id for update`.execute(
      tx,
    );
  return ownIds;
}

/** Deletes products, which must be locked, and removes their cards from posts: one new version of each, but marks none. */
export async function removeProducts(tx: Db, ids: readonly number[], { caller, now }: Call): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await sql<{ post_id: number }>`${postsShowing(tx, ids)}`.execute(tx);
  await logCurrentDeletions(tx, "product", ids);
  await sql`delete from products where id in (${tx.engine.oneOf(ids)})`.execute(tx);
  const posts = [...new Set(rows.map(({ post_id }) => post_id))];
  if (posts.length > 0)
    await refreshCards(tx, sql`${tx.engine.oneOf(posts)}`, { editor: editorOf(caller, now), stamps: false });
}

/** Locks a product of the caller's. Throws `not_found`, also if it belongs to someone else. */
async function findOwnProduct(tx: Db, id: number, caller: Caller): Promise<Selectable<ProductRow>> {
  const row = await tx
    .selectFrom("products")
    .selectAll()
    .where("id", "=", id)
    .where("user_id", "=", caller.userId)
    .$if(tx.engine.rowLocks, (query) => query.forUpdate())
    .executeTakeFirst();
  if (!row) throw notFound("product in your shop");
  return row;
}

/** Stored as JSON, so that it is returned as given: as a string or as a number. */
function serializePrice(price: string | number | null): string | null {
  return price === null ? null : JSON.stringify(price);
}

async function asOwnProduct(
  tx: Db,
  row: Selectable<ProductRow>,
  { userId, username }: Caller,
): Promise<Product> {
  const { display_name } = await tx
    .selectFrom("users")
    .select("display_name")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  return asProduct({ ...row, seller: username, sellerName: display_name }, true);
}

type ListedProduct = Selectable<ProductRow> & { seller: string; sellerName: string | null };

/** Its owner sees the raw URL, everyone else the tracked one. */
function asProduct(row: ListedProduct, own: boolean): Product {
  return {
    id: row.id,
    title: row.title,
    url: own ? row.url : trackedUrl(row.id),
    imageUrl: row.image_url,
    price: row.price === null ? null : JSON.parse(row.price),
    category: row.category,
    seller: row.seller,
    sellerName: row.sellerName,
    isAiGenerated: row.is_ai === 1,
    createdAt: new Date(row.created_at).toISOString(),
  };
}

import { MINUTE } from "@tandem/contract/durations";
import { type Selectable, sql } from "kysely";
import type { Services } from "../../http/services.ts";
import { type QueueRow, release } from "../../jobs/queue.ts";
import { type Work, workOff } from "../../jobs/work-queue.ts";
import type { ProductRow } from "../../storage/schema.ts";
import type { Db } from "../../storage/storage.ts";
import { markFilesLater } from "../posts/posters.ts";
import type { Editor } from "../versions/keep-versions.ts";
import { type CardEdit, refreshCards } from "./cards.ts";

/*
 * A product can be shown by thousands of posts. The edit itself rewrites the cards of the first posts, and the rest follow in
 * batches. Until then a post shows the card as it was, with the mark that it had.
 */

/** Posts per transaction. */
const BATCH = 100;

/** Products whose cards aren't all rewritten. */
export const productCardQueue: Work<"products"> = {
  kind: "product_cards",
  table: "products",
  key: "id",
  lease: MINUTE,
  atOnce: () => 1,
  async run({ storage, now }, product) {
    await storage.write((tx) => continueRefresh(tx, product, now()));
    return { outcome: "done" };
  },
};

/** Rewrites the cards that are due. */
export async function refreshDueCards(services: Services, signal?: AbortSignal): Promise<void> {
  await workOff(services, productCardQueue, signal);
  markFilesLater({ services });
}

export function refreshCardsLater(services: Services): void {
  services.afterResponse.run("product-cards", () => refreshDueCards(services));
}

/**
 * Rewrites the first cards of a product, which must be locked, and leaves the rest to the queue.
 * @param before the product's row before the edit
 * @param editor null if the edit doesn't stamp the posts
 */
export async function startRefresh(
  tx: Db,
  before: Selectable<ProductRow>,
  editor: Editor | null,
  now: number,
): Promise<void> {
  const isUnfinished = before.due_at !== null && before.cards_stamp === 1;
  // The posts that an earlier edit by AI hasn't reached are still stamped.
  const stamps = editor !== null || isUnfinished;
  const keyId = editor ? editor.keyId : before.cards_key_id;
  const { ids, last } = await nextPosts(tx, before.id, 0);
  await tx
    .updateTable("products")
    .set({
      due_at: last === null ? null : now,
      holder: null,
      cards_after: last ?? 0,
      cards_stamp: stamps ? 1 : 0,
      cards_key_id: stamps ? keyId : null,
    })
    .where("id", "=", before.id)
    .execute();
  await refresh(tx, ids, stamps ? { by: "ai", keyId, now } : null);
}

async function continueRefresh(tx: Db, product: QueueRow<"products">, now: number): Promise<void> {
  const { ids, last } = await nextPosts(tx, product.id, product.cards_after);
  // The product is locked before posts, as by an edit.
  await release(tx, productCardQueue, product, {
    due_at: last === null ? null : product.due_at,
    cards_after: last ?? 0,
  });
  await refresh(tx, ids, product.cards_stamp === 1 ? { by: "ai", keyId: product.cards_key_id, now } : null);
}

/** The next posts that show a product, and the last of them if more follow. */
async function nextPosts(tx: Db, productId: number, after: number) {
  const rows = await tx
    .selectFrom("post_products")
    .select("post_id")
    .where("product_id", "=", productId)
    .where("post_id", ">", after)
    .orderBy("post_id")
    .limit(BATCH + 1)
    .execute();
  const ids = rows.slice(0, BATCH).map(({ post_id }) => post_id);
  return { ids, last: rows.length > BATCH ? (ids.at(-1) ?? null) : null };
}

/** Locks the posts that {@link startRefresh} rewrites, for what has to lock something after posts and before the refresh. */
export async function lockFirstPosts(tx: Db, productId: number): Promise<void> {
  if (!tx.engine.rowLocks) return;
  const { ids } = await nextPosts(tx, productId, 0);
  if (ids.length > 0)
    await sql`select id from posts where id in (${sql.join(ids)}) order by id for update`.execute(tx);
}

async function refresh(tx: Db, ids: readonly number[], editor: Editor | null): Promise<void> {
  if (ids.length === 0) return;
  const edit: CardEdit | undefined = editor ? { editor, stamps: true } : undefined;
  await refreshCards(tx, sql.join(ids), edit);
}

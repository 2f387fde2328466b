import { randomBytes } from "node:crypto";
import type { SourcePush } from "@tandem/contract/sources";
import { sql } from "kysely";
import { type Queue, type QueueRow, release } from "../../../jobs/queue.ts";
import type { NamedHub } from "../../../origins/connector.ts";
import type { Db } from "../../../storage/storage.ts";

export type Subscription = QueueRow<"hub_subscriptions">;

/** Subscriptions about which a hub is to be asked: to begin, to renew and to end them. */
export const subscriptionQueue = {
  kind: "hub_subscriptions",
  table: "hub_subscriptions",
  key: "id",
  // Longer than a request with its redirects.
  lease: 3 * 60_000,
  countsAttempts: true,
} as const satisfies Queue<"hub_subscriptions">;

/** Subscribes to the hub that a source's feed names now, and ends the subscription to another. Locks come after the source's. */
export async function followHub(
  tx: Db,
  sourceId: number,
  named: NamedHub | null,
  now: number,
): Promise<void> {
  const current = await tx
    .selectFrom("hub_subscriptions")
    .select(["hub", "topic", "active_until"])
    .where("source_id", "=", sourceId)
    .executeTakeFirst();
  if (current?.hub === named?.hub && current?.topic === named?.topic) return;
  // As long as no hub has verified it, it keeps its turn, so that names that change with each visit cause no more requests.
  if (current?.active_until === null && named) {
    await tx.updateTable("hub_subscriptions").set(named).where("source_id", "=", sourceId).execute();
    return;
  }
  if (current) await endSubscription(tx, sourceId, now);
  if (named) await subscribe(tx, sourceId, named, now);
}

async function subscribe(tx: Db, source_id: number, { hub, topic }: NamedHub, now: number): Promise<void> {
  const callback = randomBytes(24).toString("base64url");
  const secret = tx.secrets.encrypt("hub_subscriptions", randomBytes(32).toString("base64url"));
  await tx
    .insertInto("hub_subscriptions")
    .values({ source_id, hub, topic, callback, secret, asked: "subscribe", due_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Ends a source's subscription. If the hub has verified it, the hub is asked to end it, too. */
export async function endSubscription(tx: Db, sourceId: number, now: number): Promise<void> {
  const own = tx.deleteFrom("hub_subscriptions").where("source_id", "=", sourceId);
  await own.where("active_until", "is", null).execute();
  await tx
    .updateTable("hub_subscriptions")
    .set({ source_id: null, asked: "unsubscribe", attempts: 0, holder: null, due_at: now })
    .where("source_id", "=", sourceId)
    .execute();
}

/** Sets what a leased subscription waits for, unless the hub has verified or denied it meanwhile. */
export async function keepAsking(tx: Db, row: Subscription, values: Partial<Subscription>): Promise<void> {
  const { asked } = (await findSubscription(tx, row.callback, true)) ?? { asked: null };
  await release(tx, subscriptionQueue, row, asked === null ? {} : values);
}

/** The subscription with this callback. With `lock`, it is locked until the transaction ends. */
export function findSubscription(db: Db, callback: string, lock: boolean): Promise<Subscription | undefined> {
  return db
    .selectFrom("hub_subscriptions")
    .selectAll()
    .where("callback", "=", callback)
    .$if(lock && db.engine.rowLocks, (query) => query.forUpdate())
    .executeTakeFirst();
}

export type PushState = { push: SourcePush; pushUntil: string | null };

const none: PushState = { push: "none", pushUntil: null };

/** Whether hubs announce changes of these sources. */
export async function pushStates(
  db: Db,
  ids: readonly number[],
  now: number,
): Promise<(id: number) => PushState> {
  const rows = await db
    .selectFrom("hub_subscriptions")
    .select(["source_id", "asked", "active_until"])
    .where(sql<boolean>`source_id in (${db.engine.oneOf(ids)})`)
    .execute();
  const byId = new Map(rows.map((row) => [row.source_id, row]));
  return (id) => {
    const { asked = null, active_until = null } = byId.get(id) ?? {};
    if (active_until !== null && active_until > now)
      return { push: "active", pushUntil: new Date(active_until).toISOString() };
    return asked === null ? none : { push: "pending", pushUntil: null };
  };
}

/** Whether a hub announces changes of the source. */
export async function isPushed(db: Db, sourceId: number, now: number): Promise<boolean> {
  return (await pushStates(db, [sourceId], now))(sourceId).push === "active";
}

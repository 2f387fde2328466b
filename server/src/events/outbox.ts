import { randomBytes } from "node:crypto";
import { TEST_TYPE } from "@tandem/contract/webhooks";
import { sql } from "kysely";
import type { DeliveryRow } from "../storage/schema/notifications.ts";
import type { Db } from "../storage/storage.ts";
import { OUTBOX } from "./channels.ts";
import { asNotification, selectNotifications } from "./notifications.ts";

/** What a webhook receives. */
export interface Message {
  type: DeliveryRow["type"];
  /** Milliseconds since 1970. */
  at: number;
  data: object;
}

/** Enqueues notifications that this transaction added for the account's webhooks and subscribed browsers. */
export async function enqueueForWebhooks(tx: Db, userId: number, ids: readonly number[]): Promise<void> {
  const working = await tx
    .selectFrom("webhooks as w")
    .leftJoin("keys as k", "k.id", "w.key_id")
    .select(["w.id", "w.types", "w.session_id", "k.expires_at"])
    .where("w.user_id", "=", userId)
    .where("w.state", "=", "working")
    .orderBy("w.id")
    .execute();
  const notifications = await selectNotifications(tx)
    .where(sql<boolean>`n.id in (${tx.engine.oneOf(ids)})`)
    .orderBy("n.id")
    .execute();
  // An expired key is kept for a while; its webhooks end with it.
  const hooks = working.filter(
    ({ expires_at }) => expires_at === null || expires_at > (notifications[0]?.created_at ?? 0),
  );
  const browsers = hooks.filter(({ session_id }) => session_id !== null).map(({ id }) => id);
  const [first] = notifications;
  if (first) await enqueuePush(tx, browsers, { ...first, at: first.created_at });
  for (const { id, types, session_id } of hooks) {
    if (session_id !== null) continue;
    const wanted = notifications.filter(({ type }) => types === null || types.split(",").includes(type));
    const messages = wanted.map((row) => ({
      type: row.type,
      at: row.created_at,
      data: asNotification(row, 0),
    }));
    await enqueue(tx, [id], messages);
  }
}

/**
 * Enqueues a push to the account's browsers for everything from this notification on. A browser with a push waiting gets
 * no second one: the waiting push will include it. Callers must hold the lock on the account's row.
 */
export async function enqueuePush(
  tx: Db,
  browserIds: readonly number[],
  { id: from, type, at }: { id: number; type: Message["type"]; at: number },
): Promise<void> {
  if (browserIds.length === 0) return;
  const waiting = await tx
    .selectFrom("webhook_deliveries")
    .select("webhook_id")
    .where("webhook_id", "in", browserIds)
    .where("due_at", "is not", null)
    .where("type", "<>", TEST_TYPE)
    .execute();
  const notified = new Set(waiting.map(({ webhook_id }) => webhook_id));
  const others = browserIds.filter((id) => !notified.has(id));
  await enqueue(tx, others, [{ type, at, data: { from } }]);
}

/** Enqueues every message for every webhook, and returns the deliveries. */
export async function enqueue(tx: Db, webhookIds: readonly number[], messages: readonly Message[]) {
  if (messages.length === 0 || webhookIds.length === 0) return [];
  const pairs = webhookIds.flatMap((id) => messages.map((message) => ({ id, ...message })));
  const rows = pairs.map(({ id, type, at, data }) => ({
    webhook_id: id,
    message_id: `msg_${randomBytes(18).toString("base64url")}`,
    type,
    payload: JSON.stringify({ type, timestamp: new Date(at).toISOString(), data }),
    state: "waiting" as const,
    due_at: at,
    created_at: at,
  }));
  const added = await tx.insertInto("webhook_deliveries").values(rows).returningAll().execute();
  await scheduleSooner(tx, webhookIds, Math.min(...messages.map(({ at }) => at)));
  return added;
}

/** Schedules webhooks for this time (milliseconds since 1970), unless they are due earlier. */
export async function scheduleSooner(tx: Db, webhookIds: readonly number[], at: number): Promise<void> {
  // Update the row even if it is due earlier: this waits for a sender that is about to release it, unaware of this message.
  await tx
    .updateTable("webhooks")
    .set({ due_at: sql`case when due_at < ${at} then due_at else ${at} end` })
    .where("id", "in", webhookIds)
    .execute();
  tx.channels.add(OUTBOX);
}

import { randomBytes } from "node:crypto";
import { TEST_TYPE } from "@tandem/contract/webhooks";
import { sql } from "kysely";
import type { DeliveryRow } from "../storage/schema/telling.ts";
import type { Db } from "../storage/storage.ts";
import { asNotification, selectNotices } from "./notices.ts";
import { OUTBOX } from "./places.ts";

/** What a webhook is sent. */
export interface Message {
  type: DeliveryRow["type"];
  /** Milliseconds since 1970. */
  at: number;
  data: object;
}

/** Has an account's webhooks send these notifications of its own, which this transaction has added, and its browsers told. */
export async function putOut(tx: Db, userId: number, ids: readonly number[]): Promise<void> {
  const hooks = await tx
    .selectFrom("webhooks")
    .select(["id", "types", "session_id"])
    .where("user_id", "=", userId)
    .where("state", "=", "working")
    .orderBy("id")
    .execute();
  const notices = await selectNotices(tx)
    .where(sql<boolean>`n.id in (${tx.engine.oneOf(ids)})`)
    .orderBy("n.id")
    .execute();
  const browsers = hooks.filter(({ session_id }) => session_id !== null).map(({ id }) => id);
  const [first] = notices;
  if (first) await announce(tx, browsers, { ...first, at: first.created_at });
  for (const { id, types, session_id } of hooks) {
    if (session_id !== null) continue;
    const wanted = notices.filter(({ type }) => types === null || types.split(",").includes(type));
    const messages = wanted.map((row) => ({
      type: row.type,
      at: row.created_at,
      data: asNotification(row, 0),
    }));
    await enqueue(tx, [id], messages);
  }
}

/**
 * Has an account's browsers told what there is from this notification on. Where one waits to be told something already, it will be told
 * this with it: so however much happens at once, one message waits. The account is locked, by whoever adds notifications as
 * by whoever settles a message.
 */
export async function announce(
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
  const told = new Set(waiting.map(({ webhook_id }) => webhook_id));
  const untold = browserIds.filter((id) => !told.has(id));
  await enqueue(tx, untold, [{ type, at, data: { from } }]);
}

/** Has webhooks send these, each all of them. Gives back what was noted of each. */
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
  await hurry(tx, webhookIds, Math.min(...messages.map(({ at }) => at)));
  return added;
}

/** Has webhooks looked after at that time, in milliseconds since 1970, if they weren't to be before. */
export async function hurry(tx: Db, webhookIds: readonly number[], at: number): Promise<void> {
  // Also where it was to be before: whoever lets go of it just now doesn't know what is added here, and is waited for.
  await tx
    .updateTable("webhooks")
    .set({ due_at: sql`case when due_at < ${at} then due_at else ${at} end` })
    .where("id", "in", webhookIds)
    .execute();
  tx.places.add(OUTBOX);
}

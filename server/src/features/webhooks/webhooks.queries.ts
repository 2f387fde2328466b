import type { NotificationType } from "@tandem/contract/notifications";
import type { Delivery, Webhook } from "@tandem/contract/webhooks";
import type { Selectable } from "kysely";
import { notFound } from "../../http/api-error.ts";
import type { DeliveryRow, WebhookRow } from "../../storage/schema/notifications.ts";
import type { Db } from "../../storage/storage.ts";

export type Hook = Selectable<WebhookRow>;
export type Sending = Selectable<DeliveryRow>;

/** Whether this is a push subscription of the owner's browser, not a webhook: both share a table. */
export const isBrowser = ({ session_id }: Hook): boolean => session_id !== null;

/** An origin that deliveries go to, by kind. Each kind has its own concurrency limit per origin. */
export interface Destination {
  origin: string;
  kind: "server" | "browser";
}

export const destinationOf = (hook: Hook): Destination => ({
  origin: new URL(hook.url).origin,
  kind: isBrowser(hook) ? "browser" : "server",
});

/** Locks a webhook of the owner's, so that no one sends from it or changes it concurrently. Throws `not_found`. */
export async function lockOwn(tx: Db, id: number, ownerId: number): Promise<Hook> {
  const row = await ownHook(tx, id, ownerId)
    .$if(tx.engine.rowLocks, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  if (!row) throw notFound("webhook in your account");
  return row;
}

/** Throws `not_found` if the owner has no such webhook. */
export async function requireOwn(db: Db, id: number, ownerId: number): Promise<void> {
  if (!(await ownHook(db, id, ownerId).executeTakeFirst())) throw notFound("webhook in your account");
}

function ownHook(db: Db, id: number, ownerId: number) {
  return ownHooks(db, ownerId).where("id", "=", id);
}

/** The account's webhooks, without its push subscriptions, which share the table. */
export function ownHooks(db: Db, ownerId: number) {
  return db
    .selectFrom("webhooks")
    .selectAll()
    .where("owner_id", "=", ownerId)
    .where("session_id", "is", null);
}

export function asWebhook(row: Hook): Webhook {
  return {
    id: row.id,
    agentId: row.user_id === row.owner_id ? null : row.user_id,
    url: row.url,
    // Validated when they were stored.
    types: row.types === null ? null : (row.types.split(",").filter(Boolean) as NotificationType[]),
    enabled: row.state === "working",
    state: row.state,
    failingSince: timeOf(row.failing_since),
    createdAt: new Date(row.created_at).toISOString(),
  };
}

export function asDelivery(row: Sending): Delivery {
  return {
    id: row.id,
    messageId: row.message_id,
    type: row.type,
    state: row.state,
    attempts: row.attempts,
    status: row.status,
    error: row.error,
    nextAt: timeOf(row.due_at),
    triedAt: timeOf(row.tried_at),
    createdAt: new Date(row.created_at).toISOString(),
  };
}

function timeOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

import type { NotificationType } from "@tandem/contract/notifications";
import { type Delivery, type Webhook, webhookState } from "@tandem/contract/webhooks";
import type { Selectable } from "kysely";
import { type ApiError, notFound } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
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

type Manager = Pick<Caller, "userId" | "isAgent" | "key">;

/** Locks a webhook that the caller manages, so that no one sends from it or changes it concurrently. Throws `not_found`. */
export async function lockManaged(tx: Db, id: number, caller: Manager): Promise<Hook> {
  const row = await managedHook(tx, id, caller)
    .$if(tx.engine.rowLocks, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  if (!row) throw noSuchWebhook(caller);
  return row;
}

/** Throws `not_found` if the caller manages no such webhook. */
export async function requireManaged(db: Db, id: number, caller: Manager): Promise<void> {
  if (!(await managedHook(db, id, caller).executeTakeFirst())) throw noSuchWebhook(caller);
}

/** A key may look for a webhook that is there, but that another key or a person created. */
function noSuchWebhook({ key }: Manager): ApiError {
  return notFound("webhook in your account", key ? "This key created no webhook with this id." : undefined);
}

function managedHook(db: Db, id: number, caller: Manager) {
  return managedHooks(db, caller).where("id", "=", id);
}

/**
 * The webhooks that a caller manages: a person's own and those of their agents; an agent's own. A key manages those that it
 * created: the URL of another may contain a secret, and a webhook that it redirected would outlive it.
 */
export function managedHooks(db: Db, { userId, isAgent, key }: Manager) {
  if (key) return servers(db).where("key_id", "=", key.id);
  return servers(db).where(isAgent ? "user_id" : "owner_id", "=", userId);
}

/** The webhooks that a person is responsible for. */
export function hooksOf(db: Db, ownerId: number) {
  return servers(db).where("owner_id", "=", ownerId);
}

/** Without push subscriptions, which share the table. */
function servers(db: Db) {
  return db.selectFrom("webhooks").selectAll().where("session_id", "is", null);
}

export function asWebhook(row: Hook): Webhook {
  return {
    id: row.id,
    agentId: row.user_id === row.owner_id ? null : row.user_id,
    keyId: row.key_id,
    url: row.url,
    // Validated when they were stored.
    types: row.types === null ? null : (row.types.split(",").filter(Boolean) as NotificationType[]),
    enabled: row.state === "working",
    state: webhookState(row.state, row.confirmed_at),
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

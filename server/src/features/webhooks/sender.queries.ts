import { HOUR, MINUTE } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { type RawBuilder, sql } from "kysely";
import { emitNotification } from "../../events/emit-notification.ts";
import { enqueuePush } from "../../events/outbox.ts";
import { type Queue, release } from "../../jobs/queue.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";
import { type Destination, type Hook, isBrowser, type Sending } from "./webhooks.queries.ts";

/** Milliseconds between attempts; a day in all, after which a delivery fails. */
const PAUSES = [5000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 8 * HOUR, 9 * HOUR];
/** The longest pause for a browser: new notifications wait for the delivery that is being retried. */
const LONGEST_FOR_BROWSERS = 30 * MINUTE;

/** Webhooks with deliveries to send. One process at a time sends from a webhook, one message after the other. */
export const webhookQueue = {
  kind: "webhooks",
  table: "webhooks",
  key: "id",
  // Longer than a turn.
  lease: 2 * MINUTE,
} as const satisfies Queue<"webhooks">;

/** Matches webhooks that lead to none of these destinations. */
export function notTo(full: readonly Destination[]): RawBuilder<boolean> {
  return full.length > 0
    ? sql<boolean>`(${sql.join(
        full.map((place) => sql`not ${leadsTo(place)}`),
        sql` and `,
      )})`
    : sql<boolean>`1 = 1`;
}

/** URLs are stored in normalized form, with a slash after the origin. */
function leadsTo({ origin, kind }: Destination): RawBuilder<boolean> {
  const isOfKind = kind === "browser" ? sql`session_id is not null` : sql`session_id is null`;
  const start = `${origin}/`;
  return sql<boolean>`(${isOfKind} and substr(url, 1, ${sql.lit(start.length)}) = ${start})`;
}

/**
 * The current webhook, its secrets decrypted, and its next due delivery; null if there is none, or another process took over.
 * The webhook is `off` if its key has expired.
 */
export async function nextOf(db: Db, { id, holder }: Hook, now: number): Promise<[Hook, Sending] | null> {
  const found = await db
    .selectFrom("webhooks as w")
    .leftJoin("keys as k", "k.id", "w.key_id")
    .selectAll("w")
    .select("k.expires_at")
    .where("w.id", "=", id)
    .where("w.holder", "=", holder)
    .executeTakeFirst();
  if (!found) return null;
  const { expires_at, ...current } = found;
  const hook: Hook = expires_at !== null && expires_at <= now ? { ...current, state: "off" } : current;
  const sending = await db
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("webhook_id", "=", id)
    .where("due_at", "<=", now)
    .orderBy("due_at")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return sending ? [decrypted(db, hook), sending] : null;
}

function decrypted({ secrets }: Db, hook: Hook): Hook {
  const { secret, old_secret } = hook;
  return {
    ...hook,
    secret: secrets.decrypt("webhooks", secret),
    old_secret: old_secret && secrets.decrypt("webhooks", old_secret),
  };
}

/** The outcome of an attempt. `status` is null if there was no response. */
export interface AttemptResult {
  at: number;
  status: number | null;
  /** Null if it was delivered. */
  error: string | null;
  /** For browsers: the last notification that this delivery covered. */
  upTo: number | null;
}

/** Status codes that end a webhook or a push subscription: the receiver is gone. */
const GONE = { server: [410], browser: [404, 410] };
/** The minimum of milliseconds between two messages to a browser. */
export const PUSH_INTERVAL = 2000;

/**
 * Records an attempt. If it ends the webhook, notifies the owner. A browser's subscription is deleted instead, which the
 * settings page in that browser shows.
 */
export async function recordAttempt(
  tx: Db,
  hook: Hook,
  sending: Sending,
  result: AttemptResult,
): Promise<void> {
  // Lock accounts before rows that reference them.
  for (const id of [...new Set([hook.owner_id, hook.user_id])].sort((a, b) => a - b))
    await lockAccount(tx, id);
  const current = await locked(tx, hook);
  if (!current) return;
  const { at, status, error } = result;
  const attempts = sending.attempts + 1;
  // An answer from the address that it had before says nothing about its new one.
  const isCurrent = current.url === hook.url;
  const ended = isCurrent ? endStateOf(current, result) : null;
  if (ended && isBrowser(current)) return deleteHook(tx, current);
  const pause = error === null || ended ? undefined : pauseAfter(current, attempts);
  const state = error === null ? "delivered" : pause === undefined ? "failed" : "waiting";
  if (state !== "waiting" && isBrowser(current)) return finishPush(tx, current, sending, result);
  // Jitter, so that deliveries that failed together aren't retried together.
  const due_at = pause === undefined ? null : Math.round(at + pause * (1 + Math.random() / 10));
  await tx
    .updateTable("webhook_deliveries")
    .set({ attempts, status, error, tried_at: at, state, due_at })
    .where("id", "=", sending.id)
    .execute();
  if (!isCurrent) return;
  const outcome =
    error === null
      ? { failing_since: null, confirmed_at: current.confirmed_at ?? at }
      : { failing_since: current.failing_since ?? at };
  await tx
    .updateTable("webhooks")
    .set({ ...outcome, ...(ended && { state: ended }) })
    .where("id", "=", hook.id)
    .execute();
  if (ended) await notifyDisabled(tx, current, at);
}

/** Undefined if all attempts are used up. */
function pauseAfter(hook: Hook, attempts: number): number | undefined {
  const pause = PAUSES[attempts - 1];
  return isBrowser(hook) ? Math.min(pause ?? LONGEST_FOR_BROWSERS, LONGEST_FOR_BROWSERS) : pause;
}

async function deleteHook(tx: Db, { id }: Hook): Promise<void> {
  await tx.deleteFrom("webhooks").where("id", "=", id).execute();
}

/** Deliveries to browsers aren't stored once they are sent. Notifications that were added meanwhile are sent next. */
async function finishPush(
  tx: Db,
  hook: Hook,
  { id }: Sending,
  { at, error, upTo }: AttemptResult,
): Promise<void> {
  await tx.deleteFrom("webhook_deliveries").where("id", "=", id).execute();
  if (error === null) {
    await tx.updateTable("webhooks").set({ failing_since: null }).where("id", "=", hook.id).execute();
    // The browser is reachable again, so waiting deliveries are due now.
    await tx
      .updateTable("webhook_deliveries")
      .set({ due_at: at })
      .where("webhook_id", "=", hook.id)
      .where("due_at", ">", at)
      .execute();
  }
  if (upTo === null) return;
  const next = await tx
    .selectFrom("notifications")
    .select(["id", "type"])
    .where("user_id", "=", hook.user_id)
    .where("id", ">", upTo)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  if (next) await enqueuePush(tx, [hook.id], { ...next, at: at + PUSH_INTERVAL });
}

async function locked(tx: Db, { id, holder }: Hook): Promise<Hook | undefined> {
  return tx
    .selectFrom("webhooks")
    .selectAll()
    .where("id", "=", id)
    .where("holder", "=", holder)
    .$if(tx.engine.rowLocks, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
}

function endStateOf(hook: Hook, { at, status, error }: AttemptResult): Hook["state"] | null {
  if (error === null || hook.state !== "working") return null;
  if (GONE[isBrowser(hook) ? "browser" : "server"].includes(status ?? 0)) return "gone";
  const since = hook.failing_since ?? at;
  return at - since >= limits.webhookFailureHours * HOUR ? "failing" : null;
}

async function notifyDisabled(tx: Db, { owner_id, user_id }: Hook, at: number): Promise<void> {
  const actors = [{ id: user_id, isAgent: user_id !== owner_id, byAi: false, at }];
  await emitNotification(tx, {
    type: "webhook_disabled",
    to: owner_id,
    postId: null,
    commentId: null,
    actors,
  });
}

/** Fails waiting deliveries of a disabled webhook, at most `most` per call. Returns whether none is left. */
export async function giveUp(tx: Db, { id }: Hook, most: number): Promise<boolean> {
  const waiting = tx
    .selectFrom("webhook_deliveries")
    .select("id")
    .where("webhook_id", "=", id)
    .where("due_at", "is not", null)
    .limit(most);
  const failed = await tx
    .updateTable("webhook_deliveries")
    .set({ state: "failed", due_at: null, error: "The webhook was disabled." })
    .where("id", "in", waiting)
    .executeTakeFirst();
  return Number(failed.numUpdatedRows) < most;
}

/**
 * Releases a webhook until the first of its deliveries is due, but behind all webhooks that are waiting now: otherwise some
 * slow ones with many deliveries would starve the others. Not before `earliest`. Returns when it is due, or null if it isn't or the
 * lease was lost.
 */
export async function releaseHook(tx: Db, hook: Hook, earliest: number): Promise<number | null> {
  // Locked first: a transaction that adds a delivery meanwhile waits, and then updates the time set here.
  if (!(await locked(tx, hook))) return null;
  const first = await tx
    .selectFrom("webhook_deliveries")
    .select("due_at")
    .where("webhook_id", "=", hook.id)
    .where("due_at", "is not", null)
    .orderBy("due_at")
    .limit(1)
    .executeTakeFirst();
  const due_at = first?.due_at == null ? null : Math.max(first.due_at, earliest);
  await release(tx, webhookQueue, hook, { due_at });
  return due_at;
}

import { limits } from "@tandem/contract/limits";
import type { WebhookState } from "@tandem/contract/webhooks";
import { type RawBuilder, sql } from "kysely";
import { emitNotification } from "../../events/emit-notification.ts";
import { announce } from "../../events/outbox.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";
import { type Hook, isBrowser, type Place, type Sending } from "./webhooks.queries.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The pauses after each failure; a day in all, and then it is given up. In milliseconds. */
const PAUSES = [5000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 8 * HOUR, 9 * HOUR];
/** The longest of them for a browser, which goes after a day of them: what waits there keeps all that is new waiting. */
const LONGEST_FOR_BROWSERS = 30 * MINUTE;

export interface Claim {
  now: number;
  holder: string;
  /** Milliseconds after which another may take it. */
  lease: number;
  /** Where nothing more is to be sent just now. */
  full: readonly Place[];
}

/** Webhooks that have something to send elsewhere than to these places, and that nobody sends from. */
export function dueHooks(db: Db, now: number, full: readonly Place[] = []) {
  return db
    .selectFrom("webhooks")
    .selectAll()
    .where("due_at", "<=", now)
    .where((eb) => eb.or([eb("held_until", "is", null), eb("held_until", "<=", now)]))
    .where((eb) => eb.and(full.map((place) => eb.not(leadsTo(place)))))
    .orderBy("due_at")
    .orderBy("id");
}

/** Addresses are kept as URLs write themselves, with a slash behind the origin. */
function leadsTo({ origin, kind }: Place): RawBuilder<boolean> {
  const isOfKind = kind === "browser" ? sql`session_id is not null` : sql`session_id is null`;
  const start = `${origin}/`;
  return sql<boolean>`(${isOfKind} and substr(url, 1, ${sql.lit(start.length)}) = ${start})`;
}

/** Takes on the one that has waited longest: whoever has it is alone to send from it, one message after the other. */
export async function claimHook(tx: Db, { now, holder, lease, full }: Claim): Promise<Hook | null> {
  const row = await dueHooks(tx, now, full)
    .limit(1)
    .$if(tx.engine.rowLocks, (query) => query.forNoKeyUpdate().skipLocked())
    .executeTakeFirst();
  if (!row) return null;
  return tx
    .updateTable("webhooks")
    .set({ holder, held_until: now + lease })
    .where("id", "=", row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The webhook as it is now, and what it is to send next; null where there is no more, or it is another's by now. */
export async function nextOf(db: Db, { id, holder }: Hook, now: number): Promise<[Hook, Sending] | null> {
  const hook = await db
    .selectFrom("webhooks")
    .selectAll()
    .where("id", "=", id)
    .where("holder", "=", holder)
    .executeTakeFirst();
  if (!hook) return null;
  const sending = await db
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("webhook_id", "=", id)
    .where("due_at", "<=", now)
    .orderBy("due_at")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return sending ? [hook, sending] : null;
}

/** How a try went. `status` is null where no answer came. */
export interface Tried {
  at: number;
  status: number | null;
  /** Null where it arrived. */
  error: string | null;
  /** Of a browser, the last notification that it needs to hear nothing more of. */
  upto: number | null;
}

/** By which a server says that it is to be sent nothing more; a push service, that there is no such browser any more. */
const GONE = { server: [410], browser: [404, 410] };
/** Milliseconds from one message to a browser to the next, where there is always something new. */
export const CALM = 2000;

/**
 * Notes how a try went. Where that ends a webhook, its owner is told; a browser goes, and whoever sits there is told
 * by their settings that nothing comes.
 */
export async function note(tx: Db, hook: Hook, sending: Sending, tried: Tried): Promise<void> {
  // Accounts' rows before what hangs on them.
  for (const id of [...new Set([hook.owner_id, hook.user_id])].sort((a, b) => a - b))
    await lockAccount(tx, id);
  const held = await locked(tx, hook);
  if (!held) return;
  const { at, status, error } = tried;
  const attempts = sending.attempts + 1;
  const ended = endedBy(held, tried);
  if (ended && isBrowser(held)) return forget(tx, held);
  const pause = error === null || ended ? undefined : pauseAfter(held, attempts);
  const state = error === null ? "delivered" : pause === undefined ? "failed" : "waiting";
  if (state !== "waiting" && isBrowser(held)) return goOn(tx, held, sending, tried);
  // A little later by chance, lest all that failed together come again together.
  const due_at = pause === undefined ? null : Math.round(at + pause * (1 + Math.random() / 10));
  await tx
    .updateTable("webhook_deliveries")
    .set({ attempts, status, error, tried_at: at, state, due_at })
    .where("id", "=", sending.id)
    .execute();
  const failing_since = error === null ? null : (held.failing_since ?? at);
  await tx
    .updateTable("webhooks")
    .set({ failing_since, ...(ended && { state: ended }) })
    .where("id", "=", hook.id)
    .execute();
  if (ended) await tellOfEnd(tx, held, at);
}

/** Undefined where it was tried often enough. */
function pauseAfter(hook: Hook, attempts: number): number | undefined {
  const pause = PAUSES[attempts - 1];
  return isBrowser(hook) ? Math.min(pause ?? LONGEST_FOR_BROWSERS, LONGEST_FOR_BROWSERS) : pause;
}

async function forget(tx: Db, { id }: Hook): Promise<void> {
  await tx.deleteFrom("webhooks").where("id", "=", id).execute();
}

/** Of what a browser was told nothing is kept. What was added meanwhile, and waited for this, comes next. */
async function goOn(tx: Db, hook: Hook, { id }: Sending, { at, error, upto }: Tried): Promise<void> {
  await tx.deleteFrom("webhook_deliveries").where("id", "=", id).execute();
  if (error === null) {
    await tx.updateTable("webhooks").set({ failing_since: null }).where("id", "=", hook.id).execute();
    // It is reached again: what waits for better times has them.
    await tx
      .updateTable("webhook_deliveries")
      .set({ due_at: at })
      .where("webhook_id", "=", hook.id)
      .where("due_at", ">", at)
      .execute();
  }
  if (upto === null) return;
  const next = await tx
    .selectFrom("notifications")
    .select(["id", "type"])
    .where("user_id", "=", hook.user_id)
    .where("id", ">", upto)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  if (next) await announce(tx, [hook.id], { ...next, at: at + CALM });
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

function endedBy(hook: Hook, { at, status, error }: Tried): WebhookState | null {
  if (error === null || hook.state !== "working") return null;
  if (GONE[isBrowser(hook) ? "browser" : "server"].includes(status ?? 0)) return "gone";
  const since = hook.failing_since ?? at;
  return at - since >= limits.webhookFailureHours * HOUR ? "failing" : null;
}

async function tellOfEnd(tx: Db, { owner_id, user_id }: Hook, at: number): Promise<void> {
  const doers = [{ id: user_id, isAgent: user_id !== owner_id, byAi: false, at }];
  await emitNotification(tx, {
    type: "webhook_disabled",
    to: owner_id,
    postId: null,
    commentId: null,
    doers,
  });
}

/** Gives up what waits at a webhook that is disabled, so many at a time; tells whether that was all. */
export async function giveUp(tx: Db, { id }: Hook, most: number): Promise<boolean> {
  const waiting = tx
    .selectFrom("webhook_deliveries")
    .select("id")
    .where("webhook_id", "=", id)
    .where("due_at", "is not", null)
    .limit(most);
  const given = await tx
    .updateTable("webhook_deliveries")
    .set({ state: "failed", due_at: null, error: "The webhook was disabled." })
    .where("id", "in", waiting)
    .executeTakeFirst();
  return Number(given.numUpdatedRows) < most;
}

/**
 * Lets go of a webhook, until the first of its deliveries is due; behind all that wait by now, however long it has
 * waited: else some slow ones with much to send would keep the others from their turn for ever. One that is another's by
 * now is left alone. Gives back when it is due.
 */
export async function releaseLease(tx: Db, hook: Hook, now: number): Promise<number | null> {
  // First, so that whatever is put out meanwhile waits, and finds the time that is set here.
  if (!(await locked(tx, hook))) return null;
  const first = await tx
    .selectFrom("webhook_deliveries")
    .select("due_at")
    .where("webhook_id", "=", hook.id)
    .where("due_at", "is not", null)
    .orderBy("due_at")
    .limit(1)
    .executeTakeFirst();
  const due_at = first?.due_at == null ? null : Math.max(first.due_at, now);
  await tx
    .updateTable("webhooks")
    .set({ holder: null, held_until: null, due_at })
    .where("id", "=", hook.id)
    .execute();
  return due_at;
}

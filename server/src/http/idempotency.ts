import { createHash } from "node:crypto";
import { HOUR } from "@tandem/contract/durations";
import { DERIVED_KEY_PREFIX } from "@tandem/contract/idempotency";
import { limits } from "@tandem/contract/limits";
import { type Operation, type Subject, subjectOf } from "@tandem/contract/operation";
import type { OperationName } from "@tandem/contract/operations";
import { sql } from "kysely";
import { hideFromPlanner } from "../storage/planner-hints.ts";
import { prepared } from "../storage/prepared.ts";
import type { Db } from "../storage/storage.ts";
import { createdIdOf } from "./activity.ts";
import { ApiError, invalid } from "./api-error.ts";
import type { Caller } from "./caller.ts";
import { isText } from "./formats.ts";
import { keysIn } from "./key-format.ts";

const HEADER = "Idempotency-Key";
export const IDEMPOTENCY_LIFE = limits.idempotencyHours * HOUR;

/** A request's Idempotency-Key: a second request with the same key is a retry of the first. */
export interface Attempt {
  holder: string;
  key: string;
  /** A hash of method, URL and body. A retry must match it. */
  fingerprint: string;
}

/** Whose idempotency keys they are: each API key has its own, and all sessions of an account share theirs. */
export function attemptHolder({ key, userId }: Caller): string {
  return key ? `key:${key.id}` : `user:${userId}`;
}

/** The key from the header, quoted (as the IETF draft requires) or bare; null without one. */
export function idempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const text = String(header).trim();
  // Idempotency keys are stored as sent, which API keys must never be.
  if (keysIn(text).length > 0)
    throw invalid(HEADER, `${HEADER} contains an API key of this service. Choose another value.`);
  const key = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text)?.[1]?.replace(/\\(.)/g, "$1") ?? text;
  if (key.length > 0 && key.length <= limits.idempotencyKey && isText(key) && !/^"|"$/.test(key)) return key;
  throw invalid(HEADER, `${HEADER} must have 1 to ${limits.idempotencyKey} characters.`);
}

export function fingerprint(method: string, url: string, body: Buffer | null): string {
  const hash = createHash("sha256").update(`${method} ${url}\n`);
  return hash.update(body ?? "").digest("hex");
}

/**
 * The recorded response to the first request, or null if this is the first. Throws if the requests differ, or if the first
 * is still in progress in any process. A derived key is forgotten if the caller's account deleted what the first request
 * created.
 */
export async function recall(
  tx: Db,
  { holder, key, fingerprint }: Attempt,
  op: Operation,
  { userId, now }: { userId: number; now: number },
): Promise<string | null> {
  if (!(await tx.engine.tryLock(tx, `idempotency ${holder} ${key}`)))
    throw new ApiError("idempotency_in_progress");
  const [row] = await find(tx, { holder, key, since: now - IDEMPOTENCY_LIFE });
  if (!row) return null;
  if (row.fingerprint !== fingerprint) throw new ApiError("idempotency_mismatch");
  if (key.startsWith(DERIVED_KEY_PREFIX) && (await wasDeleted(tx, op, row.answer, { userId, now })))
    return null;
  return row.answer;
}

/** The operations that delete what their callers created. A draft is also gone once it is published, so it isn't among these. */
const deletions = {
  post: "deletePost",
  comment: "deleteComment",
  product: "deleteProduct",
  webhook: "deleteWebhook",
} as const satisfies Partial<Record<Subject, OperationName>>;

/**
 * Whether a key or an agent's session of the account deleted the record in a recorded response, according to its activity. What
 * someone else took back wasn't: its operator, or a moderator.
 */
async function wasDeleted(
  tx: Db,
  op: Operation,
  answer: string,
  { userId, now }: { userId: number; now: number },
): Promise<boolean> {
  const subject = subjectOf(op);
  if (subject === null || subject === "draft") return false;
  const id = createdIdOf(answer, subject);
  if (id === null) return false;
  const ofAccount = sql`user_id = ${hideFromPlanner(userId)}`;
  // Only later entries than the last one from before the key's life are read.
  const { rows } = await sql`select 1 from activity
    where ${ofAccount} and operation = ${deletions[subject]} and target = ${id} and id > coalesce((
      select id from activity where ${ofAccount} and created_at <= ${now - IDEMPOTENCY_LIFE}
      order by id desc limit 1
    ), 0) limit 1`.execute(tx);
  return rows.length > 0;
}

/** Whether a response is recorded under this key, for a request that may be another. */
export async function hasRecord(db: Db, holder: string, key: string, now: number): Promise<boolean> {
  return (await find(db, { holder, key, since: now - IDEMPOTENCY_LIFE })).length > 0;
}

/** Records a response in the transaction of its write, without secrets that are shown only once. */
export async function remember(
  tx: Db,
  attempt: Attempt,
  op: Operation,
  response: string,
  now: number,
): Promise<void> {
  await insert(tx.later, { ...attempt, answer: withoutSecrets(op, response), created_at: now });
}

/** Deletes the recorded responses of an account and its keys: they contain its data. */
export async function forgetResponses(tx: Db, userId: number): Promise<void> {
  await sql`delete from idempotency where holder in (
    select cast(${`user:${userId}`} as text)
    union all select concat('key:', id) from keys where owner_id = ${userId} or user_id = ${userId}
  )`.execute(tx);
}

function withoutSecrets(op: Operation, response: string): string {
  const secrets = Object.entries((op.response as { properties?: object }).properties ?? {})
    .filter(([, schema]) => "x-secret" in schema)
    .map(([name]) => name);
  if (secrets.length === 0) return response;
  return JSON.stringify({
    ...JSON.parse(response),
    ...Object.fromEntries(secrets.map((name) => [name, null])),
  });
}

/** Keys of requests in progress, so that a second one is refused instead of waiting. */
export class InFlight {
  readonly #running = new Set<string>();

  async guard<T>({ holder, key }: Attempt, work: () => Promise<T>): Promise<T> {
    const name = `${holder} ${key}`;
    if (this.#running.has(name)) throw new ApiError("idempotency_in_progress");
    this.#running.add(name);
    try {
      return await work();
    } finally {
      this.#running.delete(name);
    }
  }
}

interface Lookup {
  holder: string;
  key: string;
  since: number;
}

const find = prepared<Lookup, { fingerprint: string; answer: string }>((db, { holder, key, since }) =>
  db
    .selectFrom("idempotency")
    .select(["fingerprint", "answer"])
    .where("holder", "=", holder)
    .where("key", "=", key)
    .where("created_at", ">", since)
    .compile(),
);

const insert = prepared<Attempt & { answer: string; created_at: number }, never>((db, row) => {
  const { holder, key, fingerprint, answer, created_at } = row;
  return db
    .insertInto("idempotency")
    .values({ holder, key, fingerprint, answer, created_at })
    .onConflict((conflict) =>
      conflict.columns(["holder", "key"]).doUpdateSet({ fingerprint, answer, created_at }),
    )
    .compile();
});

import { createHash } from "node:crypto";
import type { Operation } from "@tandem/contract/operation";
import type { AuditRow } from "../storage/schema/moderation.ts";
import type { Db } from "../storage/storage.ts";
import type { Caller } from "./caller.ts";

/*
 * What admins do, and what the service does by itself to keep order, is recorded in the transaction that does it. The
 * database lets nobody change an entry, and each holds the hash of the one before: whoever gets past the database, by
 * its files, would have to write anew all that came after.
 */

/** What is recorded of an act. */
export interface Act {
  /** Null: the service itself, or the command line. */
  caller: Pick<Caller, "userId" | "username"> | null;
  /** Who it was, where that is no account. */
  by?: string;
  act: string;
  target: string | null;
  detail: object;
  now: number;
}

/** What the first entry holds in place of a hash. */
export const BEGINNING = "";

/**
 * The work of an admin's operation, with its record: whoever declares that only admins may call it can't forget to
 * have it recorded.
 */
export function recorded<T extends object>(
  { op, caller, now }: { op: Operation; caller: Caller | null; now: number },
  input: object,
  work: (tx: Db) => Promise<T>,
): (tx: Db) => Promise<T> {
  if (op.access.kind !== "session" || !op.access.admins || !caller) return work;
  return async (tx) => {
    const answer = await work(tx);
    await record(tx, [{ caller, act: op.name, target: targetOf(op, input), detail: input, now }]);
    return answer;
  };
}

/** `post:42`, of `/api/admin/posts/{id}/remove`; null where no path parameter says what it is about. */
function targetOf({ path }: Operation, input: { id?: unknown }): string | null {
  const [, noun] = /\/(\w+)s\/\{id\}/.exec(path) ?? [];
  return noun === undefined || input.id === undefined ? null : `${noun}:${input.id}`;
}

/** Records these acts. To be done last in a transaction: whoever records next waits for it to end. */
export async function record(tx: Db, acts: readonly Act[]): Promise<void> {
  if (acts.length === 0) return;
  await tx.engine.await(tx, ["audit"]);
  const last = await tx
    .selectFrom("audit_log")
    .select(["id", "hash"])
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  const rows: AuditRow[] = [];
  for (const { caller, by = "(service)", act, target, detail, now } of acts) {
    const before = rows.at(-1) ?? last ?? { id: 0, hash: BEGINNING };
    const said = { id: before.id + 1, at: now, actor_id: caller?.userId ?? null };
    const entry = { ...said, actor: caller?.username ?? by, act, target, detail: JSON.stringify(detail) };
    rows.push({ ...entry, before: before.hash, hash: hashOf({ ...entry, before: before.hash }) });
  }
  await tx.insertInto("audit_log").values(rows).execute();
}

/** Of all that an entry says, the hash before among it. */
export function hashOf({ id, at, actor_id, actor, act, target, detail, before }: Omit<AuditRow, "hash">) {
  const said = JSON.stringify([id, at, actor_id, actor, act, target, detail, before]);
  return createHash("sha256").update(said).digest("hex");
}

import { createHash } from "node:crypto";
import type { Operation } from "@tandem/contract/operation";
import type { AuditRow } from "../storage/schema/moderation.ts";
import type { Db } from "../storage/storage.ts";
import type { Caller } from "./caller.ts";

/*
 * Actions of admins, and automatic moderation, are recorded in their own transaction. Database triggers prevent changes to
 * entries, and each entry contains the hash of the one before: tampering with the files would mean rewriting every later
 * entry.
 */

/** An audit log entry. */
export interface AuditEntry {
  /** Null for the service itself and the command line. */
  caller: Pick<Caller, "userId" | "username"> | null;
  /** The name of an actor that has no account. */
  by?: string;
  act: string;
  target: string | null;
  detail: object;
  now: number;
}

/** Stands for the previous hash in the first entry. */
export const BEGINNING = "";

/**
 * Adds the audit entry to the work of every admin operation, so that none can be forgotten.
 */
export function recorded<T extends object>(
  { op, caller, now }: { op: Operation; caller: Caller | null; now: number },
  input: object,
  work: (tx: Db) => Promise<T>,
): (tx: Db) => Promise<T> {
  if (op.access.kind !== "session" || !op.access.admins || !caller) return work;
  return async (tx) => {
    const response = await work(tx);
    const detail = { ...input, ...fileHashes(op, input), ...deletedName(response) };
    await record(tx, [{ caller, act: op.name, target: targetOf(op, input), detail, now }]);
    return response;
  };
}

/** Says which files the call had, instead of where they were. */
function fileHashes({ files }: Operation, input: object): Record<string, string> {
  const received = Object.entries(input as Record<string, { sha256: Buffer }>);
  return Object.fromEntries(
    received
      .filter(([field]) => field in files)
      .map(([field, { sha256 }]) => [field, sha256.toString("hex")]),
  );
}

/** The username in a response about something that no longer exists, so that the entry names the account. */
function deletedName(response: object): { username?: unknown } {
  return "username" in response ? { username: response.username } : {};
}

/** `post:42` for `/api/admin/posts/{id}/remove`; null if no path parameter names a target. */
export function targetOf({ path }: Operation, input: { id?: unknown }): string | null {
  const [, noun] = /\/(\w+)s\/\{id\}/.exec(path) ?? [];
  return noun === undefined || input.id === undefined ? null : `${noun}:${input.id}`;
}

/** Records entries. Call this last in a transaction: it blocks all other recording until the commit. */
export async function record(tx: Db, acts: readonly AuditEntry[]): Promise<void> {
  if (acts.length === 0) return;
  await tx.engine.lock(tx, ["audit"]);
  const last = await tx
    .selectFrom("audit_log")
    .select(["id", "hash"])
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  const rows: AuditRow[] = [];
  for (const { caller, by = "(service)", act, target, detail, now } of acts) {
    const before = rows.at(-1) ?? last ?? { id: 0, hash: BEGINNING };
    const actor = { actor_id: caller?.userId ?? null, actor: caller?.username ?? by };
    const entry = { id: before.id + 1, at: now, ...actor, act, target, detail: JSON.stringify(detail) };
    rows.push({ ...entry, before: before.hash, hash: hashOf({ ...entry, before: before.hash }) });
  }
  await tx.insertInto("audit_log").values(rows).execute();
}

/** Covers all fields of the entry, including the previous hash. */
export function hashOf({ id, at, actor_id, actor, act, target, detail, before }: Omit<AuditRow, "hash">) {
  const fields = JSON.stringify([id, at, actor_id, actor, act, target, detail, before]);
  return createHash("sha256").update(fields).digest("hex");
}

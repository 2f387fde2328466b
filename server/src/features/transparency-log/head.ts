import { fromBase64, toBase64 } from "@tandem/contract/log/bytes";
import { entryText, LOG_PATH } from "@tandem/contract/log/entry";
import { emptyRoot } from "@tandem/contract/log/merkle";
import type { Checkpoint } from "@tandem/contract/log/note";
import type { Selectable, UpdateObject } from "kysely";
import type { Services } from "../../http/services.ts";
import type { LogHeadRow } from "../../storage/schema/log.ts";
import type { Schema } from "../../storage/schema.ts";
import type { Db } from "../../storage/storage.ts";
import { sha256 } from "./digests.ts";
import { activeKey, insertKey, keyEntry, newKey, type SigningKey, signCheckpoint } from "./keys.ts";
import { nextSequence } from "./sequence.ts";

/** The log's state. */
export type Head = Selectable<LogHeadRow>;
/** What is signed of it. */
export type SignedHead = Omit<Head, "posts_done" | "next_done" | "next_position">;

export type HeadUpdate = UpdateObject<Schema, "log_head">;

export type LogServices = Pick<Services, "storage" | "config" | "now" | "baseUrl">;

/** The log's latest signed state, as the transparency page shows it; null before the log begins. */
export async function latestCheckpoint(
  db: Db,
): Promise<{ origin: string; size: number; rootHash: string; time: string } | null> {
  const head = await readHead(db);
  if (!head) return null;
  const { origin, size, root_hash: rootHash, signed_at } = head;
  return { origin, size, rootHash, time: new Date(signed_at).toISOString() };
}

export async function readHead(db: Db): Promise<Head | null> {
  const head = await db.selectFrom("log_head").selectAll().executeTakeFirst();
  return head ?? null;
}

export interface OpenLog {
  head: Head;
  key: SigningKey;
}

/** The log's state and key. The first process that needs them begins the log. */
export async function openLog(services: LogServices): Promise<OpenLog> {
  return (await readLog(services.storage.read)) ?? beginLog(services);
}

async function readLog(db: Db): Promise<OpenLog | null> {
  const [head, key] = [await readHead(db), await activeKey(db)];
  return head && key && { head, key };
}

/** Creates the first key, whose entry is the log's first, and signs the empty tree. */
async function beginLog({ storage, now, baseUrl }: LogServices): Promise<OpenLog> {
  const key = await newKey();
  // Stays the same if the address changes later: auditors know the log by it.
  const origin = `${new URL(baseUrl).host}${LOG_PATH}`;
  const time = now();
  const head = await headRow(key, { origin, size: 0, root: await emptyRoot(sha256) }, time);
  return storage.write(async (tx) => {
    await lockLog(tx);
    const existing = await readLog(tx);
    if (existing) return existing;
    await insertKey(tx, key, time);
    const row = await tx.insertInto("log_head").values(head).returningAll().executeTakeFirstOrThrow();
    await logKey(tx, key, origin, time);
    return { head: row, key };
  });
}

/** One process at a time begins the log or changes its key. */
export function lockLog(tx: Db): Promise<void> {
  return tx.engine.lock(tx, ["transparency-log"]);
}

/** Logs a key. The key before it signs the tree that contains it. */
export async function logKey(tx: Db, key: SigningKey, origin: string, now: number): Promise<void> {
  const entry = entryText(keyEntry(key, origin, now));
  await tx
    .insertInto("log_pending")
    .values({ kind: "key", subject_id: 0, version: 0, sequence: nextSequence(), salt: null, entry })
    .execute();
}

export async function headRow(key: SigningKey, checkpoint: Checkpoint, now: number): Promise<SignedHead> {
  const { origin, size, root } = checkpoint;
  const note = await signCheckpoint(key, checkpoint);
  return { id: 1, origin, size, root_hash: toBase64(root), checkpoint: note, signed_at: now };
}

export function checkpointOf({ origin, size, root_hash }: SignedHead): Checkpoint {
  return { origin, size, root: fromBase64(root_hash) };
}

/** Replaces the state that was read before; false if another process has signed another one meanwhile. */
export async function replaceHead(tx: Db, before: Head, after: HeadUpdate): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("log_head")
    .set(after)
    .where("checkpoint", "=", before.checkpoint)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

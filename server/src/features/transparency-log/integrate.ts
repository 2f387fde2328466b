import { bytesOf, toBase64 } from "@tandem/contract/log/bytes";
import { type DeletionEntry, entryText, type LoggedKind } from "@tandem/contract/log/entry";
import { leafHash } from "@tandem/contract/log/merkle";
import { TiledTree } from "@tandem/contract/log/tiles";
import { type Selectable, sql } from "kysely";
import { insertRows } from "../../storage/bulk.ts";
import type { PendingEntryRow } from "../../storage/schema/log.ts";
import type { Db } from "../../storage/storage.ts";
import { sha256 } from "./digests.ts";
import { headRow, type LogServices, type OpenLog, openLog, replaceHead } from "./head.ts";
import { assertNotForked, readRemembered, rememberHead } from "./remembered-head.ts";
import { GrowingTiles, storeTiles, tileReader } from "./stored-tiles.ts";

/** Entries per transaction: few, so that other writes don't wait long. */
const BATCH = 500;

/**
 * Adds all pending entries to the tree, and signs the result. All hashing happens outside the transaction. Throws `LogForked`.
 */
export async function integrate(services: LogServices, signal?: AbortSignal): Promise<void> {
  const { storage, config } = services;
  for (let isFull = true; isFull && !signal?.aborted; ) {
    // Read before the database's state, which is then never the older one.
    const remembered = await readRemembered(config.dataDir);
    const log = await openLog(services);
    await assertNotForked(storage.read, remembered, log.head);
    const pending = await firstPending(storage.read, BATCH);
    if (pending.length > 0) await addToTree(services, log, pending);
    isFull = pending.length === BATCH;
  }
}

type Pending = Selectable<PendingEntryRow>;

/** By their key, so that no index is needed: versions come in their order, and before a deletion. */
function firstPending(db: Db, limit: number): Promise<Pending[]> {
  return db
    .selectFrom("log_pending")
    .selectAll()
    .orderBy("kind")
    .orderBy("subject_id")
    .orderBy("version")
    .orderBy("sequence")
    .limit(limit)
    .execute();
}

async function addToTree(
  { storage, config, now }: LogServices,
  { head, key }: OpenLog,
  pending: readonly Pending[],
): Promise<void> {
  const time = now();
  const entries = pending.map((row, i) => ({
    position: head.size + i,
    entry: row.entry ?? deletion(row, time),
  }));
  const tiles = new GrowingTiles(head.size, tileReader(storage.read));
  const leaves = await Promise.all(entries.map(({ entry }) => leafHash(bytesOf(entry), sha256)));
  await tiles.append(head.size, leaves);
  const size = head.size + entries.length;
  const root = await new TiledTree(size, tiles.read, sha256).root();
  const grown = await headRow(key, { origin: head.origin, size, root }, time);
  const isReplaced = await storage.write(async (tx) => {
    // Another process was faster; its transaction included these entries.
    if (!(await replaceHead(tx, head, grown))) return false;
    const salts = await takePending(tx, pending);
    await insertRows(tx, "log_entries", entries);
    await storeTiles(tx, tiles.rows());
    await addReceipts(tx, pending, head.size, salts);
    return true;
  });
  if (isReplaced) await rememberHead(config.dataDir, { ...grown, root_hash: toBase64(root) });
}

function deletion({ kind, subject_id: id }: Pending, now: number): string {
  const of: DeletionEntry["of"] = kind === "post-deletion" ? "post" : "comment";
  return entryText({ kind: "deletion", of, id, time: new Date(now).toISOString() });
}

/**
 * Deletes the pending entries and returns their salts, which a deletion of the post or comment may have removed meanwhile.
 * Locks the rows, so that a concurrent deletion comes either before or after.
 */
async function takePending(tx: Db, pending: readonly Pending[]): Promise<Map<string, string | null>> {
  const salts = new Map<string, string | null>();
  for (const kind of new Set(pending.map((row) => row.kind))) {
    const rows = pending.filter((row) => row.kind === kind);
    const subjects = tx.engine.oneOf(rows.map((row) => row.subject_id));
    const sequences = tx.engine.oneOf(rows.map((row) => row.sequence));
    const taken = await sql<Pending>`delete from log_pending
      where kind = ${kind} and subject_id in (${subjects}) and sequence in (${sequences})
      returning kind, subject_id, version, sequence, salt`.execute(tx);
    for (const row of taken.rows) salts.set(keyOf(row), row.salt);
  }
  if (salts.size !== pending.length)
    throw new Error(`took ${salts.size} of ${pending.length} pending entries`);
  return salts;
}

function keyOf({ kind, subject_id, version, sequence }: Pending): string {
  return `${kind} ${subject_id} ${version} ${sequence}`;
}

/** Those deleted meanwhile get none, and neither do versions whose text is gone: their salt was deleted. */
async function addReceipts(
  tx: Db,
  pending: readonly Pending[],
  first: number,
  salts: ReadonlyMap<string, string | null>,
): Promise<void> {
  const receiptsOf = async (kind: LoggedKind) => {
    const ids = pending.flatMap((row) => (row.kind === kind ? [row.subject_id] : []));
    const existing = await existingOf(tx, kind, ids);
    return pending.flatMap((row, i) => {
      if (row.kind !== kind || !existing.has(row.subject_id)) return [];
      const salt = salts.get(keyOf(row));
      const { subject_id: subject, version, signer } = row;
      return salt ? [{ subject, version, salt, position: first + i, signer }] : [];
    });
  };
  const posts = await receiptsOf("post");
  const comments = await receiptsOf("comment");
  await insertRows(
    tx,
    "post_receipts",
    posts.map(({ subject: post_id, ...row }) => ({ post_id, ...row })),
  );
  await insertRows(
    tx,
    "comment_receipts",
    comments.map(({ subject: comment_id, ...row }) => ({ comment_id, ...row })),
  );
}

/** Which of these posts or comments there are. */
async function existingOf(tx: Db, kind: LoggedKind, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await tx
    .selectFrom(`${kind}s`)
    .select("id")
    .where(sql<boolean>`id in (${tx.engine.oneOf(ids)})`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

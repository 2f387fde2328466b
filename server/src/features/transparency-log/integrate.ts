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
  const receiptsOf = (kind: LoggedKind) =>
    pending.flatMap((row, i) => {
      const salt = salts.get(keyOf(row));
      if (row.kind !== kind || !salt) return [];
      return [
        { subject: row.subject_id, version: row.version, salt, position: first + i, signer: row.signer },
      ];
    });
  const [posts, comments] = [receiptsOf("post"), receiptsOf("comment")];
  const existing = async (table: "posts" | "comments", receipts: typeof posts) => {
    const ids = tx.engine.oneOf(receipts.map(({ subject }) => subject));
    const rows = await tx.selectFrom(table).select("id").where(sql<boolean>`id in (${ids})`).execute();
    const found = new Set(rows.map(({ id }) => id));
    return receipts.filter(({ subject }) => found.has(subject));
  };
  if (posts.length > 0) {
    const rows = await existing("posts", posts);
    const asRow = ({ subject: post_id, ...receipt }: (typeof posts)[number]) => ({ post_id, ...receipt });
    await insertRows(tx, "post_receipts", rows.map(asRow));
  }
  if (comments.length > 0) {
    const rows = await existing("comments", comments);
    const asRow = ({ subject: comment_id, ...receipt }: (typeof posts)[number]) => ({
      comment_id,
      ...receipt,
    });
    await insertRows(tx, "comment_receipts", rows.map(asRow));
  }
}

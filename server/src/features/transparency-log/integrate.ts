import { bytesOf, toBase64 } from "@tandem/contract/log/bytes";
import { type DeletionEntry, entryText } from "@tandem/contract/log/entry";
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
 * Adds all pending entries to the tree, in the order of their ids among those that are committed, and signs the result. All
 * hashing happens outside the transaction. Throws `LogForked`.
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

function firstPending(db: Db, limit: number): Promise<Pending[]> {
  return db.selectFrom("log_pending").selectAll().orderBy("id").limit(limit).execute();
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
    const ids = tx.engine.oneOf(pending.map(({ id }) => id));
    // A concurrent deletion that forgets the salts comes either before or after.
    if (tx.engine.rowLocks)
      await sql`select id from log_pending where id in (${ids}) order by id for update`.execute(tx);
    await insertRows(tx, "log_entries", entries);
    await storeTiles(tx, tiles.rows());
    await addReceipts(tx, pending, head.size);
    await sql`delete from log_pending where id in (${ids})`.execute(tx);
    return true;
  });
  if (isReplaced) await rememberHead(config.dataDir, { ...grown, root_hash: toBase64(root) });
}

function deletion({ kind, subject_id: id }: Pending, now: number): string {
  const of: DeletionEntry["of"] = kind === "post-deletion" ? "post" : "comment";
  return entryText({ kind: "deletion", of, id, time: new Date(now).toISOString() });
}

/** Those deleted meanwhile get none, and neither do versions whose text is gone: their salt was deleted. */
async function addReceipts(tx: Db, pending: readonly Pending[], first: number): Promise<void> {
  const rows = pending.map(({ id }, i) => ({ entry_id: id, place: first + i }));
  const listed = tx.engine.jsonRows(JSON.stringify(rows), { entry_id: "integer", place: "integer" });
  const ids = tx.engine.oneOf(pending.map(({ id }) => id));
  const added = sql`from log_pending e join (${listed}) as listed on listed.entry_id = e.id`;
  await sql`insert into post_receipts (post_id, version, salt, position)
    select e.subject_id, e.version, e.salt, listed.place ${added} join posts s on s.id = e.subject_id
    where e.id in (${ids}) and e.kind = 'post' and e.salt is not null`.execute(tx);
  await sql`insert into comment_receipts (comment_id, version, salt, position)
    select e.subject_id, e.version, e.salt, listed.place ${added} join comments s on s.id = e.subject_id
    where e.id in (${ids}) and e.kind = 'comment' and e.salt is not null`.execute(tx);
}

import { entryText, type LoggedKind, type VersionedKind } from "@tandem/contract/log/entry";
import { TiledTree } from "@tandem/contract/log/tiles";
import { type Insertable, type Selectable, sql } from "kysely";
import { insertRows } from "../../storage/bulk.ts";
import type { CurrentReceiptRow, PendingEntryRow } from "../../storage/schema/log.ts";
import type { Db } from "../../storage/storage.ts";
import { isCurrentKind } from "./current.ts";
import { leafHashOf, sha256 } from "./digests.ts";
import { countFirstEntries, readFirstEntries } from "./first-entries.ts";
import {
  type Head,
  type HeadUpdate,
  headRow,
  type LogServices,
  type OpenLog,
  openLog,
  replaceHead,
  type SignedHead,
} from "./head.ts";
import { assertNotForked, readRemembered, rememberHead } from "./remembered-head.ts";
import { GrowingTiles, storeTiles, tileReader } from "./stored-tiles.ts";

/** Entries per transaction: few, so that neither other writes nor, while their hashes are computed, other requests wait long. */
const BATCH = 1000;
/** So many ids above `posts_done`, none of which waits, are passed over: reading them each time would take long. */
const MANY_POSTS = 1000;

/**
 * Adds all pending entries to the tree, and signs the result. All hashing happens outside the transaction. Throws `LogForked`.
 */
export async function integrate(services: LogServices, signal?: AbortSignal): Promise<void> {
  const { storage, config } = services;
  // Read before the database's state, which is then never the older one.
  const remembered = await readRemembered(config.dataDir);
  let log = await openLog(services);
  await assertNotForked(storage.read, remembered, log.head);
  let signed: SignedHead | null = null;
  try {
    for (let isMore = true; isMore && !signal?.aborted; ) {
      const batch = await addBatch(services, log);
      signed = batch.signed ?? signed;
      isMore = batch.isMore;
      if (isMore) log = await openLog(services);
    }
  } finally {
    // Once, because it waits for the disk.
    if (signed) await rememberHead(config.dataDir, signed);
  }
}

/** Returns the new state if there is one, and whether there may be more to add. */
async function addBatch(
  services: LogServices,
  log: OpenLog,
): Promise<{ signed: SignedHead | null; isMore: boolean }> {
  const { read, write } = services.storage;
  const { head } = log;
  const reach = await reachOf(read, head);
  const pending = await firstPending(read, BATCH);
  const limit = BATCH - pending.length;
  const { posts, last } = await readFirstEntries(read, head.posts_done, limit);
  const done = doneWith(read, head, reach, last);
  if (pending.length + posts.length === 0) {
    if (reach.newest - head.posts_done > MANY_POSTS) await write((tx) => replaceHead(tx, head, done));
    return { signed: null, isMore: last !== null };
  }
  const batch = [
    ...pending.map((row): Waiting => ({ ...row, pending: row })),
    ...posts.map(
      (post): Waiting => ({ ...post, kind: "post", subject_id: post.id, version: 1, pending: null }),
    ),
  ];
  const signed = await addToTree(services, log, batch, done);
  return { signed, isMore: last !== null || !signed };
}

interface Reach {
  /** The latest post so far. */
  newest: number;
  /** Whether all posts up to the head's `next_done` that will ever be there can be read from now on. */
  isSettled: boolean;
}

/** Call it before the posts are read. */
async function reachOf(db: Db, head: Head): Promise<Reach> {
  const isSettled = await db.engine.haveEnded(db, head.next_position);
  const row = await db.selectFrom("posts").select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
  return { newest: row?.id ?? 0, isSettled };
}

/**
 * How far posts are done once this batch is in the tree. `last` is the batch's last post if there are more, otherwise null.
 * Where writers run in parallel, a post can appear below others later. But each writer takes its position before its posts' ids: so
 * when all that had a position before this transaction's have ended, no post appears any more below what is the newest now.
 */
function doneWith({ engine }: Db, head: Head, { newest, isSettled }: Reach, last: number | null): HeadUpdate {
  const upto = (id: number) => Math.max(head.posts_done, Math.min(id, last ?? id));
  if (!engine.rowLocks) return { posts_done: upto(newest) };
  const position = engine.position;
  if (isSettled)
    return { posts_done: upto(head.next_done), next_done: newest, next_position: sql<number>`${position}` };
  // It isn't lower than this transaction's, unless it is of another server.
  return { next_position: sql<number>`least(next_position, ${position})` };
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

/** An entry that is to be added: a row of `log_pending`, or a post that is its own. */
interface Waiting extends Pick<Pending, "kind" | "subject_id" | "version" | "salt" | "signer"> {
  /** Null for deletions. */
  entry: string | null;
  pending: Pending | null;
}

/** Returns the new state; null, without having changed anything, if another process changed the log or one of these posts meanwhile. */
async function addToTree(
  { storage, now }: LogServices,
  { head, key }: OpenLog,
  batch: readonly Waiting[],
  done: HeadUpdate,
): Promise<SignedHead | null> {
  const time = now();
  const entries = batch.map(({ entry, kind, subject_id }, i) => ({
    position: head.size + i,
    entry: entry ?? deletion(kind, subject_id, time),
  }));
  const tiles = new GrowingTiles(head.size, tileReader(storage.read));
  await tiles.append(
    head.size,
    entries.map(({ entry }) => leafHashOf(entry)),
  );
  const size = head.size + entries.length;
  const root = await new TiledTree(size, tiles.read, sha256).root();
  const grown = await headRow(key, { origin: head.origin, size, root }, time);
  const firsts = batch.flatMap(({ pending, subject_id }) => (pending ? [] : [subject_id]));
  const isAdded = await storage.write(async (tx) => {
    // First of all, as others lock posts before entries, too.
    const posts = await lockPosts(tx, batch, firsts);
    if ((await countFirstEntries(tx, firsts)) < firsts.length) return false;
    if (!(await replaceHead(tx, head, { ...grown, ...done }))) return false;
    const salts = await takePending(tx, batch);
    await insertRows(tx.later, "log_entries", entries);
    await storeTiles(tx.later, tiles.rows());
    await addReceipts(tx, batch, head.size, { posts, salts });
    return true;
  });
  return isAdded ? grown : null;
}

function deletion(kind: Pending["kind"], id: number, now: number): string {
  const of = deletedKind(kind);
  return entryText({ kind: "deletion", of, id, time: new Date(now).toISOString() });
}

function deletedKind(kind: Pending["kind"]): LoggedKind {
  if (kind === "post-deletion") return "post";
  if (kind === "comment-deletion") return "comment";
  if (isCurrentKind(kind)) return kind;
  throw new Error(`a pending ${kind} has no entry`);
}

/** Those posts that have pending rows and exist. Locks them and these others, all in one order. */
async function lockPosts(tx: Db, batch: readonly Waiting[], others: readonly number[]): Promise<Set<number>> {
  const ids = pendingOf(batch, "post");
  if (ids.length === 0) return new Set();
  const [all, lock] = tx.engine.rowLocks ? [[...ids, ...others], sql`for share`] : [ids, sql``];
  const { rows } = await sql<{ id: number }>`
    select id from posts where id in (${tx.engine.oneOf(all)}) order by id ${lock}`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

/** The subjects of a kind's pending rows. */
function pendingOf(batch: readonly Waiting[], kind: VersionedKind): number[] {
  return [...new Set(batch.flatMap(({ pending }) => (pending?.kind === kind ? [pending.subject_id] : [])))];
}

/**
 * Deletes the pending entries and returns their salts, which a deletion of the post or comment may have removed meanwhile.
 * Locks the rows, so that a concurrent deletion comes either before or after.
 */
async function takePending(tx: Db, batch: readonly Waiting[]): Promise<Map<string, string | null>> {
  const pending = batch.flatMap(({ pending }) => pending ?? []);
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
  batch: readonly Waiting[],
  first: number,
  { posts, salts }: { posts: ReadonlySet<number>; salts: ReadonlyMap<string, string | null> },
): Promise<void> {
  const comments = await existingComments(tx, batch);
  const receiptsOf = (kind: VersionedKind, existing: ReadonlySet<number>) =>
    batch.flatMap(({ kind: own, subject_id: subject, version, salt: before, signer, pending }, i) => {
      if (own !== kind || (pending && !existing.has(subject))) return [];
      const salt = pending ? salts.get(keyOf(pending)) : before;
      return salt ? [{ subject, version, salt, position: first + i, signer }] : [];
    });
  await insertRows(
    tx.later,
    "post_receipts",
    receiptsOf("post", posts).map(({ subject: post_id, ...row }) => ({ post_id, ...row })),
  );
  await insertRows(
    tx.later,
    "comment_receipts",
    receiptsOf("comment", comments).map(({ subject: comment_id, ...row }) => ({ comment_id, ...row })),
  );
  await insertRows(tx.later, "current_receipts", currentReceipts(batch, first, salts));
}

/** A deletion's row has no salt: it only counts. Versions without one have been replaced or deleted. */
function currentReceipts(
  batch: readonly Waiting[],
  first: number,
  salts: ReadonlyMap<string, string | null>,
): Insertable<CurrentReceiptRow>[] {
  return batch.flatMap(({ kind, subject_id, version, entry, signer, pending }, i) => {
    if (!pending || !isCurrentKind(kind)) return [];
    const salt = salts.get(keyOf(pending)) ?? null;
    if (salt === null && entry !== null) return [];
    return [{ kind, subject_id, version, salt, position: first + i, signer }];
  });
}

async function existingComments(tx: Db, batch: readonly Waiting[]): Promise<Set<number>> {
  const ids = pendingOf(batch, "comment");
  if (ids.length === 0) return new Set();
  const rows = await tx
    .selectFrom("comments")
    .select("id")
    .where(sql<boolean>`id in (${tx.engine.oneOf(ids)})`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

import { postContent, stableAddress } from "@tandem/contract/log/entry";
import { type RawBuilder, sql } from "kysely";
import { MEDIA_PATH } from "../../media/names.ts";
import { insertRows } from "../../storage/bulk.ts";
import { fromFragment, type PostFacts } from "../../storage/post-fragment.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";
import { newSalt, saltOf } from "./digests.ts";
import { publishedEntry } from "./published-entry.ts";
import { nextSequence } from "./sequence.ts";

/*
 * A new post's row is its own pending entry, so that publishing it writes no row of the log and computes no hash. The entry
 * follows from the post's facts, none of which changes without a new version, and from `posts.first_entry`. The job finds
 * these posts by their ids (integrate.ts). What edits or deletes such a post gives its entry a row in `log_pending` before.
 */

/** The post as its own pending entry. */
export interface FirstEntryRow {
  id: number;
  fragment: string;
  first_entry: string;
}

/**
 * The value of `posts.first_entry` for a new post. Null for one that shows an uploaded file, whose hash isn't in its facts: log it
 * with `logPosts`. An entry's time is the post's own, so it is for posts that are published as they are written; the
 * transaction must have locked a row before it inserts the post.
 */
export function newFirstEntry(
  { mediaUrl }: Pick<PostFacts, "mediaUrl">,
  { operator, signer }: { operator: string | null; signer: string | null },
): string | null {
  if (mediaUrl?.startsWith(MEDIA_PATH)) return null;
  return [newSalt().text, operator ?? "", signer ?? ""].join(" ");
}

export interface FirstEntry {
  id: number;
  /** In base64url. */
  salt: string;
  entry: string;
  signer: string | null;
}

/** The entry that a post's row stands for. */
export function firstEntryOf({ id, fragment, first_entry }: FirstEntryRow): FirstEntry {
  const facts = fromFragment(fragment);
  const { mediaType, mediaUrl, provenance, provenanceBasis: basis, postedAt: time } = facts;
  const [salt = "", operator = "", signer = ""] = first_entry.split(" ");
  // Those with uploads are logged with `logPosts`.
  const content = postContent({
    ...facts,
    pictures: undefined,
    media: mediaUrl && stableAddress(mediaType, mediaUrl),
  });
  const by = { author: facts, operator: operator || null, signer: signer || null };
  const subject = { kind: "post", id, version: 1, provenance, basis } as const;
  const entry = publishedEntry(subject, saltOf(salt), { content, ...by, time });
  return { id, salt, entry, signer: by.signer };
}

/**
 * The first entries of posts above an id, which is at least the head's `posts_done`. `last` is the id of the last if there may be more,
 * otherwise null.
 */
export async function readFirstEntries(
  db: Db,
  after: number,
  limit: number,
): Promise<{ posts: FirstEntry[]; last: number | null }> {
  // Where there is one writer, none above `posts_done` is in the tree.
  if (!db.engine.rowLocks) {
    const rows = await firstEntriesAfter(db, { after, limit });
    return { posts: rows.map(firstEntryOf), last: rows.length < limit ? null : (rows.at(-1)?.id ?? after) };
  }
  const ids = await idsNotAdded(db, after, limit);
  const { rows } = await sql<FirstEntryRow>`select id, fragment, first_entry from posts
    where id in (${db.engine.oneOf(ids)}) and first_entry is not null and version = 1 order by id`.execute(
    db,
  );
  return { posts: rows.map(firstEntryOf), last: ids.length < limit ? null : (ids.at(-1) ?? after) };
}

const firstEntriesAfter = prepared<{ after: number; limit: number }, FirstEntryRow>((db, { after, limit }) =>
  sql<FirstEntryRow>`select id, fragment, first_entry from posts
    where id > ${after} and first_entry is not null and version = 1 order by id limit ${limit}`.compile(db),
);

/** In steps instead of one join: as long as receipts are few by its statistics, PostgreSQL would read all of them for each post. */
async function idsNotAdded(db: Db, after: number, limit: number): Promise<number[]> {
  const found: number[] = [];
  for (let from: number | undefined = after; from !== undefined && found.length < limit; ) {
    const page: { id: number }[] = await firstIdsAfter(db, { after: from, limit: PAGE });
    const ids = page.map(({ id }) => id);
    const isAdded = await addedOf(db, ids);
    found.push(...ids.filter((id) => !isAdded.has(id)).slice(0, limit - found.length));
    from = ids.length < PAGE ? undefined : ids.at(-1);
  }
  return found;
}

const PAGE = 1000;

const firstIdsAfter = prepared<{ after: number; limit: number }, { id: number }>((db, { after, limit }) =>
  selectFirstIds(after, limit).compile(db),
);

export function selectFirstIds(after: number, limit: number): RawBuilder<{ id: number }> {
  return sql<{ id: number }>`select id from posts
    where id > ${after} and first_entry is not null and version = 1 order by id limit ${limit}`;
}

/** Those of these posts whose first entries are in the tree. */
async function addedOf(db: Db, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: number }>`select post_id as id from post_receipts
    where version = 1 and post_id in (${db.engine.oneOf(ids)})`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/**
 * How many of these posts are their own pending entries. Locks them, so that a concurrent edit or deletion comes either before
 * or after.
 */
export async function countFirstEntries(tx: Db, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0;
  const lock = tx.engine.rowLocks ? sql`order by id for share` : sql``;
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
    select id from posts
      where id in (${tx.engine.oneOf(ids)}) and first_entry is not null and version = 1 ${lock}
    ) as locked`.execute(tx);
  return Number(rows[0]?.count);
}

/**
 * Gives posts' pending entries rows of their own, unless they are in the tree already. Call it before an edit of these posts,
 * which must be locked, and then clear `first_entry`.
 */
export async function settleFirstEntries(tx: Db, posts: readonly FirstEntryRow[]): Promise<void> {
  await addPending(tx, posts.map(firstEntryOf));
}

/** The same before posts are deleted: the entries are added without salts. `ids` is an id or a query of ids. */
export async function settleDeletedPosts(tx: Db, ids: RawBuilder<unknown>): Promise<void> {
  const lock = tx.engine.rowLocks ? sql`for update` : sql``;
  const { rows } = await sql<FirstEntryRow>`select id, fragment, first_entry from posts
    where id in (${ids}) and first_entry is not null
      and id > coalesce((select posts_done from log_head), 0)
    order by id ${lock}`.execute(tx);
  await addPending(
    tx,
    rows.map((row) => ({ ...firstEntryOf(row), salt: null })),
  );
}

async function addPending(
  tx: Db,
  entries: readonly (Omit<FirstEntry, "salt"> & { salt: string | null })[],
): Promise<void> {
  if (entries.length === 0) return;
  // Read after the posts were locked: the job, which locks them too, can't add them to the tree meanwhile.
  const isAdded = await addedOf(
    tx,
    entries.map(({ id }) => id),
  );
  await insertRows(
    tx.later,
    "log_pending",
    entries
      .filter(({ id }) => !isAdded.has(id))
      .map(({ id, ...row }) => ({
        kind: "post" as const,
        subject_id: id,
        version: 1,
        sequence: nextSequence(),
        ...row,
      })),
  );
}

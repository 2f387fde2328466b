import {
  commentContent,
  FILE_HASH,
  type LoggedComment,
  type LoggedPicture,
  postContent,
  stableAddress,
  type VersionedKind,
} from "@tandem/contract/log/entry";
import { nativePlatform } from "@tandem/contract/origins";
import type { PostPicture } from "@tandem/contract/post-resources";
import { type Insertable, type RawBuilder, sql } from "kysely";
import { MEDIA_PATH } from "../../media/names.ts";
import { fileHash } from "../../media/rows.ts";
import { insertRows } from "../../storage/bulk.ts";
import type { PostFacts } from "../../storage/post-fragment.ts";
import { prepared } from "../../storage/prepared.ts";
import type { PendingEntryRow } from "../../storage/schema/log.ts";
import type { Db } from "../../storage/storage.ts";
import { newSalt } from "./digests.ts";
import { settleDeletedPosts } from "./first-entries.ts";
import { type EntryFacts, type EntrySubject, publishedEntry } from "./published-entry.ts";
import { nextSequence } from "./sequence.ts";

/*
 * What a write publishes becomes an entry of the log in the same transaction: one row, which the job `log` adds to the tree
 * (integrate.ts). Only there does it get its place, because transactions don't commit in the order in which they began. Most new
 * posts don't even need that row (first-entries.ts).
 */

/** A version of a post as it is now. */
export interface PostVersion {
  id: number;
  version: number;
  facts: PostFacts;
  /** The operator's username if an agent wrote it, otherwise null. Read from the database if left out. */
  operator?: string | null;
  /** The host whose key signed the request and its body; null by default. */
  signer?: string | null;
}

/** Logs versions of posts that this transaction has written, with their files. */
export async function logPosts(tx: Db, posts: readonly PostVersion[], now: number): Promise<void> {
  if (posts.length === 0) return;
  const byAgents = posts.filter(({ facts, operator }) => facts.authorIsAgent && operator === undefined);
  const ids = byAgents.map(({ id }) => id);
  const operators = ids.length > 0 ? await operatorsOf(tx, ids) : new Map<number, string>();
  const rows: Insertable<PendingEntryRow>[] = [];
  const time = new Date(now).toISOString();
  for (const { id, version, facts, operator = operators.get(id) ?? null, signer = null } of posts) {
    const media = facts.mediaUrl === null ? null : await mediaOf(tx, facts);
    const content = postContent({ ...facts, media, pictures: await loggedPictures(tx, facts) });
    const mark = { provenance: facts.provenance, basis: facts.provenanceBasis };
    const by = { author: facts, operator, signer };
    rows.push(pending({ kind: "post", id, version, ...mark }, { content, ...by, time }));
  }
  await insertRows(tx.later, "log_pending", rows);
  await forgetReplaced(tx, "post", posts);
}

/**
 * Logs the current version of a post again, because its files were replaced: it never was its own pending entry. Earlier versions, whose files no longer exist,
 * lose their receipts.
 */
export async function logReplacedFiles(tx: Db, post: PostVersion, now: number): Promise<void> {
  await forgetReceipts(tx, "post", sql`${post.id}`);
  await logPosts(tx, [post], now);
}

/** A version of a comment as it is now. */
export interface CommentVersion extends LoggedComment {
  id: number;
  version: number;
  author: string;
  /** The operator's username if an agent wrote it. */
  operator: string | null;
  /** The host whose key signed the request and its body. */
  signer: string | null;
  isAi: boolean;
}

/** Logs a version of a comment that this transaction has written. */
export async function logComment(tx: Db, comment: CommentVersion, now: number): Promise<void> {
  const { id, version, author: name, operator, signer } = comment;
  const by = { author: { platform: nativePlatform, author: name }, operator, signer } as const;
  const entry = { kind: "comment", id, version, ...markOf(comment.isAi) } as const;
  const time = new Date(now).toISOString();
  const row = pending(entry, { content: commentContent(comment), ...by, time });
  await insertRows(tx.later, "log_pending", [row]);
  await forgetReplaced(tx, "comment", [comment]);
}

/** The label of what is either marked as AI content or not. */
export function markOf(isAi: boolean) {
  return isAi
    ? ({ provenance: "ai_generated", basis: "stamped" } as const)
    : ({ provenance: "human", basis: "declared" } as const);
}

/** The pending row of a version. */
export function pending(subject: EntrySubject, facts: EntryFacts): Insertable<PendingEntryRow> {
  const salt = newSalt();
  return {
    kind: subject.kind,
    subject_id: subject.id,
    version: subject.version,
    sequence: nextSequence(),
    salt: salt.text,
    entry: publishedEntry(subject, salt, facts),
    signer: facts.signer,
  };
}

/** What an entry says of a post's picture, video or link. */
export async function mediaOf(
  db: Db,
  { mediaType, mediaUrl }: Pick<PostFacts, "mediaType" | "mediaUrl">,
): Promise<string | null> {
  if (mediaUrl === null) return null;
  const name = mediaUrl.startsWith(MEDIA_PATH) ? mediaUrl.slice(MEDIA_PATH.length) : null;
  const sha256 = name && (await fileHash(db, name));
  return sha256 ? FILE_HASH + sha256 : stableAddress(mediaType, mediaUrl);
}

/** What an entry says of each picture of a native post with several; undefined for other posts. */
export async function loggedPictures(
  db: Db,
  { platform, pictures }: Pick<PostFacts, "platform"> & { pictures?: readonly ShownPicture[] },
): Promise<LoggedPicture[] | undefined> {
  if (platform !== nativePlatform || !pictures) return undefined;
  const logged: LoggedPicture[] = [];
  for (const { url, alt } of pictures)
    logged.push({ alt, media: await mediaOf(db, { mediaType: "image", mediaUrl: url }) });
  return logged;
}

type ShownPicture = Pick<PostPicture, "url" | "alt">;

/** The usernames of those responsible for these posts by agents, by post. Includes posts that moderators removed. */
export async function operatorsOf(db: Db, postIds: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; username: string }>`
    select p.id, o.username from posts p
      left join removed_posts r on r.post_id = p.id
      join creators c on c.id = coalesce(r.creator_id, p.creator_id)
      join users u on u.id = c.user_id join users o on o.id = u.operator_id
    where p.id in (${db.engine.oneOf(postIds)})`.execute(db);
  return new Map(rows.map(({ id, username }) => [id, username]));
}

/** The username of the person responsible for an agent; null for people. */
export async function operatorOf(db: Db, userId: number): Promise<string | null> {
  const [row] = await operatorByAgent(db, { userId });
  return row?.username ?? null;
}

const operatorByAgent = prepared<{ userId: number }, { username: string }>((db, { userId }) =>
  db
    .selectFrom("users as u")
    .innerJoin("users as o", "o.id", "u.operator_id")
    .select("o.username")
    .where("u.id", "=", userId)
    .compile(),
);

/**
 * Logs the deletion of posts or comments that are in the log, and forgets their salts. Call it before the rows are deleted.
 * `ids` is an id or a query of ids.
 */
export async function logDeletions(tx: Db, kind: VersionedKind, ids: RawBuilder<unknown>): Promise<void> {
  const { receipts, subject } = tables[kind];
  if (kind === "post") await settleDeletedPosts(tx, ids);
  await forgetPending(tx, kind, ids);
  // A post's comments are deleted with it; the receipts that they have already, by the database.
  if (kind === "post")
    await forgetPending(tx, "comment", sql`select id from comments where post_id in (${ids})`);
  await sql`insert into log_pending (kind, subject_id, version, sequence)
    select ${`${kind}-deletion`}, logged.id, 0, cast(${nextSequence()} as bigint) from (
      select ${subject} as id from ${receipts} where ${subject} in (${ids})
      union select subject_id from log_pending where kind = ${kind} and subject_id in (${ids})
    ) as logged`.execute(tx);
  await sql`delete from ${receipts} where ${subject} in (${ids})`.execute(tx);
}

async function forgetReceipts(tx: Db, kind: VersionedKind, ids: RawBuilder<unknown>): Promise<void> {
  const { receipts, subject } = tables[kind];
  await forgetPending(tx, kind, ids);
  await sql`delete from ${receipts} where ${subject} in (${ids})`.execute(tx);
}

/** Call it before receipts are deleted: it waits for a concurrent integration of these entries, which adds receipts. */
async function forgetPending(tx: Db, kind: VersionedKind, ids: RawBuilder<unknown>): Promise<void> {
  await sql`update log_pending set salt = null where kind = ${kind} and subject_id in (${ids})`.execute(tx);
}

const tables = {
  post: {
    receipts: sql`post_receipts`,
    subject: sql`post_id`,
    rows: sql`posts`,
    versions: sql`post_versions`,
  },
  comment: {
    receipts: sql`comment_receipts`,
    subject: sql`comment_id`,
    rows: sql`comments`,
    versions: sql`comment_versions`,
  },
} as const satisfies Record<VersionedKind, object>;

async function forgetReplaced(
  tx: Db,
  kind: VersionedKind,
  written: readonly { id: number; version: number }[],
): Promise<void> {
  const edited = written.filter(({ version }) => version > 1).map(({ id }) => id);
  if (edited.length > 0) await forgetDroppedVersions(tx, kind, tx.engine.oneOf(edited));
}

/**
 * Deletes the salts of earlier versions whose text isn't kept any more, so that what the log says of them proves nothing.
 * Call it after versions are dropped or cleared. `ids` is an id or a query of ids.
 */
export async function forgetDroppedVersions(
  tx: Db,
  kind: VersionedKind,
  ids: RawBuilder<unknown>,
): Promise<void> {
  const { receipts, subject, rows, versions } = tables[kind];
  const dropped = (id: RawBuilder<unknown>, version: RawBuilder<unknown>) => sql`${id} in (${ids})
    and ${version} < (select r.version from ${rows} r where r.id = ${id})
    and not exists (select 1 from ${versions} v
      where v.${subject} = ${id} and v.version = ${version} and v.content is not null)`;
  const receipt = { id: sql`${receipts}.${subject}`, version: sql`${receipts}.version` };
  await sql`delete from ${receipts} where ${dropped(receipt.id, receipt.version)}`.execute(tx);
  const entry = { id: sql`log_pending.subject_id`, version: sql`log_pending.version` };
  await sql`update log_pending set salt = null
    where kind = ${kind} and ${dropped(entry.id, entry.version)}`.execute(tx);
}

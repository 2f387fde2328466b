import { limits } from "@tandem/contract/limits";
import type { Provenance, ProvenanceBasis } from "@tandem/contract/provenance";
import type { VersionMaker } from "@tandem/contract/version-names";
import { type RawBuilder, sql } from "kysely";
import type { Caller } from "../../http/caller.ts";
import { insertRows } from "../../storage/bulk.ts";
import type { Db } from "../../storage/storage.ts";
import { forgetDroppedVersions } from "../transparency-log/append.ts";

/*
 * The current version of a post or comment is its row. An edit stores what it replaces here, and raises the row's
 * `version` in the statement that changes it. So what is never edited costs nothing.
 */

export type Versioned = "post" | "comment";

/** Who makes a version, and when. */
export interface Editor {
  by: VersionMaker;
  keyId: number | null;
  now: number;
}

export function editorOf(caller: Caller, now: number): Editor {
  return { by: caller.byAi ? "ai" : "person", keyId: caller.key?.id ?? null, now };
}

/** The version that a row shows, from its columns. */
export interface VersionColumns {
  version: number;
  version_at: number | null;
  version_by: VersionMaker | null;
  edited_with: number | null;
  made_with: number | null;
}

/** What of a row's facts says who made its first version, and when. */
export interface FirstVersion {
  provenance: Provenance;
  basis: ProvenanceBasis;
  isImported: boolean;
  createdAt: number;
  /** Null if it was never edited. */
  editedAt: number | null;
}

/** Who made the current version, and when. */
export function makingOf(columns: VersionColumns, first: FirstVersion) {
  const { version, version_at, version_by } = columns;
  if (version_at !== null && version_by !== null)
    return { made_at: version_at, made_by: version_by, key_id: columns.edited_with };
  // Edited before versions were kept: a stamp may be older than the edit.
  if (version > 1)
    return { made_at: first.editedAt ?? first.createdAt, made_by: editedBefore(first), key_id: null };
  return { made_at: first.createdAt, made_by: firstMaker(first), key_id: columns.made_with };
}

function firstMaker({ isImported, basis }: FirstVersion): VersionMaker {
  if (isImported) return "origin";
  return basis === "stamped" ? "ai" : "person";
}

function editedBefore({ isImported, basis }: FirstVersion): VersionMaker {
  if (isImported) return "origin";
  return basis === "stamped" ? "unknown" : "person";
}

/** A version that this transaction is about to replace. */
export interface ReplacedVersion {
  id: number;
  columns: VersionColumns;
  first: FirstVersion;
  /** What it shows. */
  content: object;
}

/** Stores versions before an edit replaces them. Keeps the first of each, and a limited number of others. */
export async function keepVersions(
  tx: Db,
  kind: Versioned,
  replaced: readonly ReplacedVersion[],
): Promise<void> {
  if (replaced.length === 0) return;
  const rows = replaced.map(({ columns, first, content }) => ({
    version: columns.version,
    ...makingOf(columns, first),
    provenance: first.provenance,
    basis: first.basis,
    content: JSON.stringify(content),
    cleared_at: null,
    cleared_by: null,
  }));
  const idOf = (i: number) => replaced[i]?.id as number;
  if (kind === "post")
    await insertRows(
      tx,
      "post_versions",
      rows.map((row, i) => ({ post_id: idOf(i), ...row })),
    );
  else
    await insertRows(
      tx,
      "comment_versions",
      rows.map((row, i) => ({ comment_id: idOf(i), ...row })),
    );
  for (const { id, columns, first } of replaced) await dropOldest(tx, kind, id, columns.version, first);
}

async function dropOldest(
  tx: Db,
  kind: Versioned,
  id: number,
  latest: number,
  { isImported }: FirstVersion,
): Promise<void> {
  const kept = isImported ? limits.importedVersionsKept : limits.versionsKept;
  // The first stays, and `kept - 1` others.
  const oldest = latest - kept + 1;
  if (oldest > 1) await versionsOf(tx, kind, sql<number>`${id}`, sql`version > 1 and version <= ${oldest}`);
}

/** Changes the address of a post's file in its earlier versions, which showed the same picture or video. */
export async function moveVersionFile(tx: Db, postId: number, from: string, to: string): Promise<void> {
  await sql`update post_versions set content = replace(content, ${JSON.stringify(from)}, ${JSON.stringify(to)})
    where post_id = ${postId} and content is not null`.execute(tx);
}

/** Deletes all earlier versions of these posts or comments. `ids` is an id or a query of ids. */
export async function dropVersions(tx: Db, kind: Versioned, ids: RawBuilder<unknown>): Promise<void> {
  await versionsOf(tx, kind, ids, sql`1 = 1`);
  await forgetDroppedVersions(tx, kind, ids);
}

async function versionsOf(
  tx: Db,
  kind: Versioned,
  ids: RawBuilder<unknown>,
  which: RawBuilder<unknown>,
): Promise<void> {
  await (kind === "post"
    ? sql`delete from post_versions where post_id in (${ids}) and ${which}`
    : sql`delete from comment_versions where comment_id in (${ids}) and ${which}`
  ).execute(tx);
}

/** The columns that make an edit a new version; part of the statement that changes the row. */
export function nextVersion({ by, keyId, now }: Editor) {
  return { version: sql<number>`version + 1`, version_at: now, version_by: by, edited_with: keyId };
}

/** The same as SQL, for statements that change many posts. */
export function nextVersionSql({ by, keyId, now }: Editor): RawBuilder<unknown> {
  return sql`version = posts.version + 1, version_at = ${now}, version_by = ${by}, edited_with = ${keyId}`;
}

import type { Db } from "../../storage/storage.ts";
import { type FirstVersion, keepVersions, type VersionColumns } from "../versions/keep-versions.ts";

/** What a version of a comment shows. */
export interface CommentContent {
  body: string;
}

/** A comment's columns that make up its current version. */
export interface CommentRecord extends VersionColumns {
  id: number;
  body: string;
  is_ai: number;
  created_at: number;
  edited_at: number | null;
}

export const versionColumns = [
  "id",
  "version",
  "version_at",
  "version_by",
  "edited_with",
  "made_with",
  "body",
  "is_ai",
  "created_at",
  "edited_at",
] as const satisfies (keyof CommentRecord)[];

export function firstVersion({ is_ai, created_at, edited_at }: CommentRecord): FirstVersion {
  const mark =
    is_ai === 1
      ? ({ provenance: "ai_generated", basis: "stamped" } as const)
      : ({ provenance: "human", basis: "declared" } as const);
  return { ...mark, isImported: false, createdAt: created_at, editedAt: edited_at };
}

/** Stores the current version of a comment that this transaction is about to edit. It must be locked. */
export async function keepCommentVersion(tx: Db, id: number): Promise<void> {
  const row = await tx
    .selectFrom("comments")
    .select(versionColumns)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const content: CommentContent = { body: row.body };
  await keepVersions(tx, "comment", [{ id, columns: row, first: firstVersion(row), content }]);
}

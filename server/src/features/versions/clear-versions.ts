import type { VersionClearer } from "@tandem/contract/version-names";
import { sql } from "kysely";
import type { Db } from "../../storage/storage.ts";
import { forgetDroppedVersions } from "../transparency-log/append.ts";
import type { Versioned } from "./keep-versions.ts";

/**
 * Deletes the content of earlier versions, but keeps each one's time, maker and AI mark, so clearing hides nothing about
 * AI. Returns how many it cleared. The post or comment must be locked.
 */
export async function clearVersions(
  tx: Db,
  kind: Versioned,
  id: number,
  { by, now }: { by: VersionClearer; now: number },
): Promise<number> {
  const cleared = sql`content = null, cleared_at = ${now}, cleared_by = ${by}`;
  const { numAffectedRows } = await (kind === "post"
    ? sql`update post_versions set ${cleared} where post_id = ${id} and cleared_at is null`
    : sql`update comment_versions set ${cleared} where comment_id = ${id} and cleared_at is null`
  ).execute(tx);
  await forgetDroppedVersions(tx, kind, sql`${id}`);
  return Number(numAffectedRows ?? 0);
}

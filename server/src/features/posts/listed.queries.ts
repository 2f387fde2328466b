import { nativePlatform } from "@tandem/contract/origins";
import { sql } from "kysely";
import type { Db } from "../../storage/storage.ts";

/** The highest id of a post; 0 if there is none. */
export async function lastPostId(db: Db): Promise<number> {
  const row = await db.selectFrom("posts").select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
  return row?.id ?? 0;
}

/**
 * The posts with ids from `from` up to `below` that search engines should list, and when they last changed: those whose pages aren't
 * `noindex` (web/src/areas/post/post-metadata.ts).
 */
export async function listedPosts(
  db: Db,
  { from, below }: { from: number; below: number },
): Promise<{ id: number; changedAt: number }[]> {
  const rows = await db
    .selectFrom("posts")
    .select(["id", "posted_at", "version_at"])
    .where("id", ">=", from)
    .where("id", "<", below)
    .where("removed", "=", 0)
    .where(sql<boolean>`(platform = ${nativePlatform} or comment_count > 0)`)
    .orderBy("id")
    .execute();
  return rows.map(({ id, posted_at, version_at }) => ({ id, changedAt: version_at ?? posted_at }));
}

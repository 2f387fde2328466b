import type { OriginPlatform } from "@tandem/contract/origins";
import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../storage/storage.ts";
import { distinctNames, nameRows } from "../posts/story.ts";

/**
 * A query of the same keys that also locks their items until the transaction ends, in key order. Servers of a federation
 * show the same items, so concurrent imports that locked them in different orders could deadlock.
 */
export function lockItems(tx: Db, platform: OriginPlatform, keys: RawBuilder<unknown>): RawBuilder<unknown> {
  if (!tx.engine.rowLocks) return keys;
  return sql`select key from gathered where platform = ${platform} and key in (${keys}) order by key for update`;
}

/** The rows that an import is about to change. */
export interface RowsToLock {
  /** Stories that posts leave or move to, and that are recounted (null: none). */
  stories: readonly (string | null)[];
  /** Stories that new posts join: only their first post changes. */
  joined?: readonly (string | null)[];
  /** Posts that change or are deleted. */
  posts: readonly number[];
  /** Creators of new posts. */
  creators: readonly number[];
}

/**
 * Locks all rows that an import is about to change, until the transaction ends. Lock order: stories, posts, creators, each
 * by id. Likes lock in the same order, so imports and likes don't deadlock.
 */
export async function lockRows(tx: Db, { stories, joined = [], posts, creators }: RowsToLock): Promise<void> {
  if (!tx.engine.rowLocks) return;
  await tx.engine.lock(tx, distinctNames([...stories, ...joined]));
  const members = sql<{ id: number }>`
    select p.id from (${nameRows(tx, stories)}) as listed join posts p on p.story = listed.name
    union select (select id from posts where story = listed.name order by id limit 1)
    from (${nameRows(tx, joined)}) as listed`;
  const found = (await members.execute(tx)).rows.flatMap(({ id }) => id ?? []);
  const ids = tx.engine.oneOf([...posts, ...found]);
  const { rows } = await sql<{ creator_id: number }>`
    select creator_id from posts where id in (${ids}) order by id for update`.execute(tx);
  const writers = tx.engine.oneOf([...creators, ...rows.map((row) => row.creator_id)]);
  await sql`select id from creators where id in (${writers}) order by id for update`.execute(tx);
}

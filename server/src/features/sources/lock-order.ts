import type { OriginPlatform } from "@tandem/contract/origins";
import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../storage/storage.ts";
import { named, namesOf } from "../posts/story.ts";

/**
 * The same keys, as a query that has their items be nobody else's until the transaction ends. Servers of a federation show the same
 * items: who takes some and then some more, in whatever order, may wait for one who does the same.
 */
export function inOrder(tx: Db, platform: OriginPlatform, keys: RawBuilder<unknown>): RawBuilder<unknown> {
  if (!tx.engine.rowLocks) return keys;
  return sql`select key from gathered where platform = ${platform} and key in (${keys}) order by key for update`;
}

/** What a visit is about to change. */
export interface Touched {
  /** Stories that lose or swap a post, and are counted anew; null names none. */
  stories: readonly (string | null)[];
  /** Stories that new posts come to: their first alone changes, however many there are. */
  joined?: readonly (string | null)[];
  /** Posts that change or go. */
  posts: readonly number[];
  /** Creators of posts that come. */
  creators: readonly number[];
}

/**
 * Has all that a visit is about to change be nobody else's until the transaction ends, in one order: stories, posts, creators.
 * So two that change the same wait for one another, and never in a ring; nor do they with whoever likes a post meanwhile.
 */
export async function lockTouched(tx: Db, { stories, joined = [], posts, creators }: Touched): Promise<void> {
  if (!tx.engine.rowLocks) return;
  await tx.engine.lock(tx, namesOf([...stories, ...joined]));
  const members = sql<{ id: number }>`
    select p.id from (${named(tx, stories)}) as listed join posts p on p.story = listed.name
    union select (select id from posts where story = listed.name order by id limit 1)
    from (${named(tx, joined)}) as listed`;
  const found = (await members.execute(tx)).rows.flatMap(({ id }) => id ?? []);
  const ids = tx.engine.oneOf([...posts, ...found]);
  const { rows } = await sql<{ creator_id: number }>`
    select creator_id from posts where id in (${ids}) order by id for update`.execute(tx);
  const writers = tx.engine.oneOf([...creators, ...rows.map((row) => row.creator_id)]);
  await sql`select id from creators where id in (${writers}) order by id for update`.execute(tx);
}

import { sql } from "kysely";
import type { Db } from "../../storage/storage.ts";
import { namesOf } from "../posts/story.ts";

/** What a visit is about to change. */
export interface Touched {
  /** Stories that gain, lose or swap a post; null names none. */
  stories: readonly (string | null)[];
  /** Posts that change or go. */
  posts: readonly number[];
  /** Creators of posts that come. */
  creators: readonly number[];
}

/**
 * Has all that a visit is about to change be nobody else's until the transaction ends, in one order: stories, posts, creators.
 * So two that change the same wait for one another, and never in a ring; nor do they with whoever likes a post meanwhile.
 */
export async function lockTouched(tx: Db, { stories, posts, creators }: Touched): Promise<void> {
  if (!tx.engine.rowLocks) return;
  const names = namesOf(stories);
  await tx.engine.await(tx, names);
  const told = tx.engine.rows(JSON.stringify(names.map((name) => ({ name }))), { name: "text" });
  const members = sql<{ id: number }>`
    select id from posts where story in (select name from (${told}) as listed)`;
  const found = names.length > 0 ? (await members.execute(tx)).rows : [];
  const ids = tx.engine.oneOf([...posts, ...found.map(({ id }) => id)]);
  const { rows } = await sql<{ creator_id: number }>`
    select creator_id from posts where id in (${ids}) order by id for update`.execute(tx);
  const writers = tx.engine.oneOf([...creators, ...rows.map((row) => row.creator_id)]);
  await sql`select id from creators where id in (${writers}) order by id for update`.execute(tx);
}

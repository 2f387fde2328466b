import { sql } from "kysely";
import { fromFragment } from "../post-fragment.ts";
import type { Db } from "../storage.ts";

/** Polls that are read at a time. */
const BATCH = 500;

/**
 * Notifications about communities, and about polls that close. `announced_upto`: the voter that was notified last, by id; null once all
 * are, which holds for polls that have closed already.
 */
export async function toldAbout(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema.alterTable("notifications").addColumn("community_id", integer).execute();
  await db.schema
    .alterTable("polls")
    .addColumn("closes_at", integer, (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable("polls").addColumn("announced_upto", integer).execute();
  await readClosing(db);
  await db.schema
    .createIndex("polls_to_announce")
    .on("polls")
    .columns(["closes_at", "post_id"])
    .where(sql<boolean>`announced_upto is not null`)
    .execute();
  // Voters are notified in the order of their ids.
  await db.schema.dropIndex("poll_votes_by_post").execute();
  await db.schema
    .createIndex("poll_votes_by_post")
    .on("poll_votes")
    .columns(["post_id", "user_id"])
    .execute();
}

async function readClosing(db: Db): Promise<void> {
  const now = Date.now();
  for (let above = 0; ; ) {
    const { rows } = await sql<{ id: number; fragment: string }>`
      select p.id, p.fragment from polls join posts p on p.id = polls.post_id
      where polls.post_id > ${above} order by polls.post_id limit ${BATCH}`.execute(db);
    for (const { id, fragment } of rows) {
      const closesAt = Date.parse(fromFragment(fragment).poll?.closesAt ?? "") || 0;
      await sql`update polls set closes_at = ${closesAt}, announced_upto = ${closesAt > now ? 0 : null}
        where post_id = ${id}`.execute(db);
    }
    if (rows.length < BATCH) return;
    above = rows.at(-1)?.id ?? 0;
  }
}

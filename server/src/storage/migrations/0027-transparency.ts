import { type RawBuilder, sql } from "kysely";
import type { Db } from "../storage.ts";

/**
 * What the transparency page shows: posts by label, decisions and appeals per day, counted from what is there, and operators by
 * their number of agents. Also the index for posts of a platform whose origin states their provenance.
 */
export async function transparency(db: Db): Promise<void> {
  await db.schema
    .createTable("operator_counts")
    .addColumn("agents", "integer", (c) => c.primaryKey())
    .addColumn("operators", "integer", (c) => c.notNull())
    .addColumn("counted_at", "bigint", (c) => c.notNull())
    .execute();
  // Partial, because few imported posts say anything: other posts, and likes of them, cost nothing more.
  for (const order of [["id"], ["hot_rank", "id"]])
    await db.schema
      .createIndex(["posts_stated", ...order].join("_"))
      .on("posts")
      .columns(["platform", "provenance", ...order])
      .where(sql<boolean>`basis = 'origin'`)
      .execute();
  await sql`delete from day_counts where what in ('postsByPeople', 'postsByAi', 'postsWithAi')`.execute(db);
  await fill(db, sql`posts where removed = 0`, sql`posted_at`, sql`'posts/' || provenance || '/' || basis`);
  // A removed post's columns have placeholders. Quotation marks in texts are escaped, so only the field matches.
  const provenance = sql`case
    when fragment like '%,"provenance":"human","provenanceBasis":%' then 'human'
    when fragment like '%,"provenance":"ai_assisted","provenanceBasis":%' then 'ai_assisted'
    else 'ai_generated' end`;
  await fill(
    db,
    sql`posts where removed = 1`,
    sql`posted_at`,
    sql`'posts/' || ${provenance} || '/' || basis`,
  );
  await fill(db, sql`decisions`, sql`created_at`, sql`'decisions/' || act`);
  // A removal that replaces a hold ends the hold without undoing it.
  const undone = sql`decisions d where undone_at is not null and not exists (select 1 from decisions r
    where r.act in ('remove_post', 'remove_comment') and r.created_at = d.undone_at and r.id > d.id
      and r.post_id = d.post_id and coalesce(r.comment_id, 0) = coalesce(d.comment_id, 0))`;
  await fill(db, undone, sql`undone_at`, sql`'decisions/undone'`);
  await fill(db, sql`decisions where appealed_at is not null`, sql`appealed_at`, sql`'appeals/filed'`);
  const ended = sql`case when accepted = 1 then 'appeals/accepted' else 'appeals/rejected' end`;
  await fill(db, sql`decisions where answered_at is not null`, sql`answered_at`, ended);
}

const DAY = sql.lit(86_400_000);

/** Counts rows by day and name. Adds to names that were counted before. */
async function fill(
  db: Db,
  rows: RawBuilder<unknown>,
  time: RawBuilder<unknown>,
  name: RawBuilder<unknown>,
): Promise<void> {
  await sql`insert into day_counts (day, what, shard, counted)
    select day, what, 0, count(*) from (select ${time} / ${DAY} as day, ${name} as what from ${rows}) as counted
    where 1 = 1 group by day, what
    on conflict (day, what, shard) do update set counted = day_counts.counted + excluded.counted`.execute(db);
}

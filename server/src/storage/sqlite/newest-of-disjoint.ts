import { type RawBuilder, sql } from "kysely";
import type { DisjointRanges } from "../engine.ts";

/**
 * Merges the ranges one post at a time. SQLite takes the rows of a recursive query in the given order: first is each range's newest post; whenever one
 * is taken, the next of its range takes its place. So each post costs one index lookup, and so does each range. If there are at least as many
 * ranges as posts are wanted, their newest posts have a floor, below which none is looked for.
 */
export function newestOfDisjoint(
  { rows, keys, newest }: DisjointRanges,
  wanted: number,
): RawBuilder<{ id: number }> {
  const columns = sql.join(keys.map((key) => sql.ref(`f.${key}`)));
  const take = sql.lit(wanted);
  const next = newest(1, { below: sql`f.id`, from: sql`(select id from lowest)` });
  return sql<{ id: number }>`
    with recursive firsts as materialized (select ${columns}, (${newest(1)}) as id from ${rows}),
    lowest as materialized (
      select case when count(*) < ${take} then 0 else min(id) end as id
      from (select id from firsts where id is not null order by id desc limit ${take}) as highest
    ),
    merged as (
      select ${columns}, f.id from firsts f where f.id >= (select id from lowest)
      union all
      select ${columns}, (${next}) from merged f where f.id is not null
      order by ${sql.lit(keys.length + 1)} desc limit ${take}
    )
    select id from merged where id is not null order by id desc`;
}

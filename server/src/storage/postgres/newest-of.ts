import { sql } from "kysely";
import type { Engine } from "../engine.ts";

/** PostgreSQL 15 would check `in` for each row and each post. */
export const withPostsOfEach: Engine["withPostsOfEach"] = (rows, ids) =>
  sql`from ${rows} cross join lateral (${ids}) as found (id)`;

/** Together about half as many again as are wanted. A power of two, so that there are few different queries. */
export const firstOfEach = (count: number, wanted: number): number =>
  2 ** Math.ceil(Math.log2(Math.max(1, Math.min(wanted, (1.5 * wanted) / count))));

/**
 * Reads a few posts of each range first. The last of as many of these as are wanted is a floor. Then only ranges of those posts are read, down to
 * the floor.
 */
export const newestOf: Engine["newestOf"] = ({ rows, count, keys, id, newest }, wanted) => {
  const columns = sql.join(keys.map((key) => sql.ref(`f.${key}`)));
  const take = sql.lit(wanted);
  const first = newest(firstOfEach(count, wanted));
  const aboveFloor = newest(wanted, sql`${id} >= (select id from lowest)`);
  const reaching = sql`(select distinct ${columns} from firsts f where id >= (select id from lowest)) as f`;
  return sql<{ id: number }>`
    with f as materialized (select ${columns} from ${rows}),
    firsts as materialized (select ${columns}, found.id ${withPostsOfEach(sql`f`, first)}),
    lowest as materialized (
      select case when count(*) < ${take} then 0 else min(id) end as id
      from (select distinct id from firsts order by id desc limit ${take}) as highest
    )
    select distinct found.id ${withPostsOfEach(reaching, aboveFloor)} order by found.id desc limit ${take}`;
};

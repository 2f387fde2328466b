import { sql } from "kysely";
import type { Engine } from "../engine.ts";

/**
 * Merges the ranges one post at a time. SQLite takes the rows of a recursive query in the given order: first is each range's newest post; whenever one
 * is taken, the next of its range takes its place. So each post costs one index lookup, and so does each range.
 */
export const newestOf: Engine["newestOf"] = ({ rows, keys, occurrences, id, newest }, wanted) => {
  const columns = sql.join(keys.map((key) => sql.ref(`f.${key}`)));
  return sql<{ id: number }>`
    with recursive merged (${sql.join(keys.map((key) => sql.ref(key)))}, id) as (
      select ${columns}, (${newest(1)}) from ${rows}
      union all
      select ${columns}, (${newest(1, sql`${id} < f.id`)}) from merged f where f.id is not null
      order by ${sql.lit(keys.length + 1)} desc limit ${sql.lit(wanted * occurrences)}
    )
    select distinct id from merged where id is not null limit ${sql.lit(wanted)}`;
};

import { type RawBuilder, sql } from "kysely";

/**
 * An id that no planner looks at, so that it reckons with what is usual. Whoever has much of a table, all of it long ago,
 * would else be looked for along the table's own end, past all that others have added since.
 */
export function blind(id: number): RawBuilder<number> {
  return sql<number>`(select cast(${id} as bigint))`;
}

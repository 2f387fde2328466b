import { type RawBuilder, sql } from "kysely";

/**
 * Hides an id's value from the planner so that it uses average statistics. Otherwise, for a user with many old rows in
 * a table, it would scan the table from its newest row, past everything that others have added since.
 */
export function hideFromPlanner(id: number): RawBuilder<number> {
  return sql<number>`(select cast(${id} as bigint))`;
}

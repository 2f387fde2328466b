import type { Operator } from "@tandem/contract/resources";
import { sql } from "kysely";

/** Of an agent's operator, whose row in `users` the query joins as `o`; null for people. */
export interface OperatorColumns {
  operator_username: string | null;
  operator_display_name: string | null;
}

export const operatorColumns = [
  sql.ref<string | null>("o.username").as("operator_username"),
  sql.ref<string | null>("o.display_name").as("operator_display_name"),
] as const;

export function operatorOf(row: OperatorColumns): Operator | null {
  const { operator_username: username, operator_display_name: displayName } = row;
  return username === null ? null : { username, displayName };
}

import type { Operation } from "@tandem/contract/operation";
import { ApiError } from "./api-error.ts";

/**
 * Adds to an error about something that doesn't exist the field of the query or body that names it. What a path names has none: the path
 * as a whole is wrong.
 *
 * @param sent the names of the fields that were sent
 */
export function withMissingField(error: unknown, op: Operation, sent: readonly string[]): unknown {
  if (!(error instanceof ApiError) || error.missing === undefined || error.field !== undefined) return error;
  const fields = Object.keys({ ...op.query.properties, ...op.body.properties });
  const field = fieldsNaming(error.missing, op).find((name) => fields.includes(name) && sent.includes(name));
  return field === undefined ? error : error.about(field);
}

/** Fields that can name what an error calls `product in your shop`, the most precise first. */
function fieldsNaming(what: string, { path }: Operation): string[] {
  const [kind = ""] = what.split(" ");
  const isAccount = kind === "account" || kind === "creator";
  return [
    `${kind}Id`,
    `${kind}Ids`,
    kind,
    ...(isAccount ? ["username", "author"] : []),
    // Otherwise it is of what the path names.
    ...(path.includes("{id}") ? [] : ["id", "ids"]),
  ];
}

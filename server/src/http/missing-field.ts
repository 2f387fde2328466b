import type { Operation } from "@tandem/contract/operation";
import type { AnyHandler } from "./answer-finder.ts";
import { ApiError } from "./api-error.ts";

/**
 * A handler whose errors about something that doesn't exist have the field of the query or body that names it. What a path names has none:
 * the path as a whole is wrong.
 */
export function namingMissingField(op: Operation, handler: AnyHandler): AnyHandler {
  return async (ctx, input) => {
    try {
      return await handler(ctx, input);
    } catch (error) {
      throw withMissingField(error, op, Object.keys(input));
    }
  };
}

function withMissingField(error: unknown, op: Operation, sent: readonly string[]): unknown {
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
    // Otherwise they are of something else than what the path names.
    ...(path.includes("{id}") || isInPath(kind, path) ? [] : ["id", "ids"]),
  ];
}

/** Whether a path names one of this kind, as `/api/communities/{name}` does. */
function isInPath(kind: string, path: string): boolean {
  const named = [...path.matchAll(/(\w+)\/\{/g)];
  return named.some(([, plural = ""]) => plural.replace(/ies$/, "y").replace(/s$/, "") === kind);
}

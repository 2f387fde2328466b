import fastJson from "fast-json-stringify";
import type { TSchema } from "typebox";
import { memoizePerInstance } from "./memoize-per-instance.ts";

/** Serializes responses: declared fields and nothing else. Compiled on an operation's first response, to keep start-up fast. */
export const serializer = memoizePerInstance((schema: TSchema) => {
  return fastJson(withoutIds(schema) as fastJson.Schema) as (response: object) => string;
});

/**
 * Removes `$id`, which may appear only once per schema, and formats, which only matter for input.
 */
function withoutIds(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutIds);
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([name, value]) => typeof value !== "string" || (name !== "$id" && name !== "format"))
      .map(([name, value]) => [name, withoutIds(value)]),
  );
}

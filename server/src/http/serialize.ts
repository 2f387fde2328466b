import fastJson from "fast-json-stringify";
import type { TSchema } from "typebox";
import { onceFor } from "./once-for.ts";

/**
 * The contract's serializer: it writes what the schema declares and nothing else. It is compiled when an operation first
 * answers, so that the start doesn't wait for it.
 */
export const serializer = onceFor((schema: TSchema) => {
  return fastJson(withoutIds(schema) as fastJson.Schema) as (answer: object) => string;
});

/**
 * A resource is named by `$id` wherever it stands, but within one schema no name may come twice. Formats are
 * the judge's business, not the writer's.
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

import type { Tool } from "@modelcontextprotocol/server";
import type { Operation } from "@tandem/contract/operation";
import type { FileAccess } from "./files.ts";
import { hintsOfAll } from "./hints.ts";
import { inputSchema } from "./input-schema.ts";
import type { Json } from "./schema-utils.ts";

export const SEARCH = "tandem_search_operations";
export const CALL = "tandem_call_operation";

/** The two tools that find and call the operations without a tool of their own; none if there are no such operations. */
export function finderTools(found: Operation[]): Tool[] {
  if (found.length === 0) return [];
  const names = found.map(({ name }) => name).join(", ");
  return [
    {
      name: SEARCH,
      title: "Search operations",
      description: `Find further operations and their input. Available: ${names}.`,
      inputSchema: object({ query: { type: "string", description: "Words; empty for all operations" } }),
      outputSchema: object({ operations: { type: "array", items: { type: "object" } } }),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    {
      name: CALL,
      title: "Call operation",
      description: `Call an operation that ${SEARCH} found.`,
      inputSchema: {
        ...object({ operation: { type: "string" }, input: { type: "object" } }),
        required: ["operation"],
      },
      outputSchema: { type: "object" },
      annotations: hintsOfAll(found),
    },
  ];
}

function object(properties: Json) {
  return { type: "object" as const, properties };
}

export interface Found {
  name: string;
  description: string;
  effect: string;
  input: Json;
}

/** The operations with every word of the query in their name, area or description; all operations if none matches. */
export function search(found: Operation[], query: string, access: FileAccess): Found[] {
  const words = query.toLowerCase().split(/\W+/).filter(Boolean);
  const matches = (op: Operation) =>
    words.every((word) => `${op.name} ${op.area} ${op.description}`.toLowerCase().includes(word));
  const hits = found.filter(matches);
  return (hits.length > 0 ? hits : found).map((op) => ({
    name: op.name,
    description: op.description,
    effect: op.effect,
    input: inputSchema(op, access),
  }));
}

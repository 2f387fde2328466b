import type { Tool } from "@modelcontextprotocol/server";
import type { Operation } from "@tandem/contract/operation";
import type { FileAccess } from "./files.ts";
import { hintsOfAll } from "./hints.ts";
import { inputSchema } from "./input-schema.ts";
import { CALL, SEARCH } from "./names.ts";
import type { Json } from "./schema-utils.ts";

/** The two tools that find and call the operations without a tool of their own; none if there are no such operations. */
export function finderTools(found: Operation[]): Tool[] {
  if (found.length === 0) return [];
  const names = found.map(({ name }) => name).join(", ");
  return [
    {
      name: SEARCH,
      title: "Search operations",
      description: `Find further operations and their input: ${names}.`,
      inputSchema: object({ query: { type: "string", description: "Words; empty for all" } }),
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

/** The operations with most words of the query in their name, area or description; all operations for an empty query. */
export function search(found: Operation[], query: string, access: FileAccess): Found[] {
  const words = query.toLowerCase().split(/\W+/).filter(Boolean);
  const matchesIn = (op: Operation) => {
    const text = `${op.name} ${op.area} ${op.description}`.toLowerCase();
    return words.filter((word) => text.includes(word)).length;
  };
  const most = Math.max(...found.map(matchesIn));
  if (words.length > 0 && most === 0) return [];
  return found
    .filter((op) => matchesIn(op) === most)
    .map((op) => ({
      name: op.name,
      description: op.description,
      effect: op.effect,
      input: inputSchema(op, access),
    }));
}

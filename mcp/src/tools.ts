import type { Tool } from "@modelcontextprotocol/server";
import { canWait } from "@tandem/contract/approval";
import type { Operation } from "@tandem/contract/operation";
import { finderTools } from "./finder.ts";
import { hintsOf } from "./hints.ts";
import { inputSchema } from "./input-schema.ts";
import { toolName, toolTitle } from "./names.ts";
import { type JsonObjectSchema, viewSchema } from "./view.ts";
import { hasOwnTool, isSearchable, type Offer, operationsFor } from "./visibility.ts";

/** A caller's tools, always in the same order: one per operation, then the two that search and call the rest. */
export function toolsFor(offer: Offer): Tool[] {
  const ops = operationsFor(offer);
  const own = ops.filter((op) => hasOwnTool(op, offer));
  const others = ops.filter((op) => isSearchable(op) && !own.includes(op));
  return [...own.map((op) => toolOf(op, offer)), ...finderTools(others)];
}

function toolOf(op: Operation, { files, scopes }: Offer): Tool {
  return {
    name: toolName(op.name),
    title: toolTitle(op.name),
    description: op.description,
    inputSchema: inputSchema(op, files, scopes !== null),
    outputSchema: canWait(op.name) ? orPending(viewSchema(op.response)) : viewSchema(op.response),
    annotations: hintsOf(op),
  };
}

/** The result may be `pending` instead. */
function orPending({ type, properties }: JsonObjectSchema): JsonObjectSchema {
  return { type, properties: { ...properties, pending: { type: "object" } } };
}

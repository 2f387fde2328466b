import type { ToolAnnotations } from "@modelcontextprotocol/server";
import type { Operation } from "@tandem/contract/operation";
import { userTextIn } from "./user-text.ts";

type Hints = Required<Omit<ToolAnnotations, "title">>;

/** What clients ask before they let a model call a tool unasked; each hint is said, for the defaults assume the worst. */
export function hintsOf(op: Operation): Hints {
  return {
    readOnlyHint: op.effect === "reads",
    destructiveHint: op.effect === "overwrites",
    idempotentHint: op.effect !== "adds",
    // What others wrote comes in, or what is written goes out to others.
    openWorldHint: op.access.kind === "scope" || userTextIn(op.answer).length > 0,
  };
}

/** Of a tool that calls any of several operations: what is true whichever it calls. */
export function hintsOfAll(ops: Operation[]): Hints {
  const all = ops.map(hintsOf);
  return {
    readOnlyHint: all.every((one) => one.readOnlyHint),
    destructiveHint: all.some((one) => one.destructiveHint),
    idempotentHint: all.every((one) => one.idempotentHint),
    openWorldHint: all.some((one) => one.openWorldHint),
  };
}

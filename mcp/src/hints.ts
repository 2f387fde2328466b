import type { ToolAnnotations } from "@modelcontextprotocol/server";
import type { Operation } from "@tandem/contract/operation";
import { userTextIn } from "./view.ts";

type Hints = Required<Omit<ToolAnnotations, "title">>;

/** The annotations by which clients decide whether to ask the user before a call. All are set, since the defaults assume the worst. */
export function hintsOf(op: Operation): Hints {
  return {
    readOnlyHint: op.effect === "reads",
    destructiveHint: op.effect === "overwrites",
    idempotentHint: op.effect !== "adds",
    // Reads text by other users, or publishes to them.
    openWorldHint: op.access.kind === "scope" || userTextIn(op.response).length > 0,
  };
}

/** For a tool that calls one of several operations: what is true of all of them. */
export function hintsOfAll(ops: Operation[]): Hints {
  const all = ops.map(hintsOf);
  return {
    readOnlyHint: all.every((hints) => hints.readOnlyHint),
    destructiveHint: all.some((hints) => hints.destructiveHint),
    idempotentHint: all.every((hints) => hints.idempotentHint),
    openWorldHint: all.some((hints) => hints.openWorldHint),
  };
}

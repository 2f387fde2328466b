import { operationList } from "@tandem/contract/operations";
import { CALL } from "./finder.ts";
import { toolName } from "./names.ts";
import { isObject } from "./schema-utils.ts";
import { hasTool } from "./visibility.ts";

/** The tool that calls an operation by its name, and its arguments. */
export function toolOf(call: Record<string, unknown>): { name: string; args: Record<string, unknown> } {
  const { operation, input = {}, ...others } = call;
  const op = operationList.find((candidate) => candidate.name === operation && hasTool(candidate));
  // The tool for other operations refuses a call with other names, or says what it takes.
  const isPlain = isObject(input) && Object.keys(others).length === 0;
  return op && isPlain ? { name: toolName(op.name), args: input } : { name: CALL, args: call };
}

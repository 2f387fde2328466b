import { operationList } from "@tandem/contract/operations";
import { CALL } from "./finder.ts";
import { toolName } from "./names.ts";
import { isObject } from "./schema-utils.ts";
import { hasTool } from "./visibility.ts";

/** The tool that calls an operation by its name, and its arguments. */
export function toolOf(call: Record<string, unknown>): { name: string; args: Record<string, unknown> } {
  const { operation, input = {} } = call;
  const op = operationList.find((candidate) => candidate.name === operation && hasTool(candidate));
  return op && isObject(input) ? { name: toolName(op.name), args: input } : { name: CALL, args: call };
}

import type { Operation } from "@tandem/contract/operation";
import { operationList } from "@tandem/contract/operations";
import { CALL, toolName } from "./names.ts";
import { isObject } from "./schema-utils.ts";

/** The operation that a message asks a tool to call; undefined if it asks for something else. */
export function requestedOperation(message: unknown): Operation | undefined {
  if (!isObject(message) || message.method !== "tools/call" || !isObject(message.params)) return undefined;
  const { name, arguments: input } = message.params;
  return operationList.find((op) =>
    op.exposure === "tool" || op.exposure === "optional"
      ? toolName(op.name) === name
      : op.exposure === "searchable" && name === CALL && isObject(input) && input.operation === op.name,
  );
}

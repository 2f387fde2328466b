import type { Operation } from "@tandem/contract/operation";
import { operationList } from "@tandem/contract/operations";
import { CALL, toolName } from "./names.ts";
import { isObject } from "./schema-utils.ts";

interface RequestedOperation {
  op: Operation;
  /** As it was sent. */
  input: Record<string, unknown>;
}

/** The operation that a message asks a tool to call, and with what; undefined if it asks for something else. */
export function requestedOperation(message: unknown): RequestedOperation | undefined {
  if (!isObject(message) || message.method !== "tools/call" || !isObject(message.params)) return undefined;
  const { name, arguments: args } = message.params;
  const sent = isObject(args) ? args : {};
  const isOwnTool = ({ exposure }: Operation) => exposure === "tool" || exposure === "optional";
  const op = operationList.find((op) =>
    isOwnTool(op)
      ? toolName(op.name) === name
      : op.exposure === "searchable" && name === CALL && sent.operation === op.name,
  );
  if (!op) return undefined;
  const input = isOwnTool(op) ? sent : sent.input;
  return { op, input: isObject(input) ? input : {} };
}

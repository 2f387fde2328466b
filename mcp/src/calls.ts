import { type CallToolResult, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Operation } from "@tandem/contract/operation";
import { operationList } from "@tandem/contract/operations";
import { callOperation } from "./call.ts";
import type { Connection } from "./connection.ts";
import { isObject } from "./facts.ts";
import { failed } from "./failure.ts";
import { CALL, SEARCH, search } from "./finder.ts";
import { toolName } from "./names.ts";
import { needsFile, operationsFor } from "./visibility.ts";

/** Answers `tools/call`. A name that no caller has is the client's mistake; one beyond this key's scopes is refused. */
export async function callTool(
  connection: Connection,
  name: string,
  args: Record<string, unknown>,
  signal: AbortSignal,
): Promise<CallToolResult> {
  if (name === SEARCH) return found(connection, args);
  if (name === CALL) return callFound(connection, args, signal);
  const op = operationList.find((one) => one.exposure === "tool" && toolName(one.name) === name);
  if (!op)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${JSON.stringify(name)}.`);
  return callOperation(connection, op, args, signal);
}

function found(connection: Connection, { query }: Record<string, unknown>): CallToolResult {
  const words = typeof query === "string" ? query : "";
  const operations = search(reachable(connection), words, connection.files);
  const lines = operations.map(
    ({ name, description, effect, input }) =>
      `- ${name} (${effect}): ${description} Takes ${JSON.stringify(input)}`,
  );
  const structuredContent = { operations };
  return { content: [{ type: "text", text: lines.join("\n") }], structuredContent };
}

async function callFound(
  connection: Connection,
  { operation, input = {}, ...others }: Record<string, unknown>,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const op = operationList.find(({ name, exposure }) => exposure === "searchable" && name === operation);
  if (!op || (needsFile(op) && !connection.files)) return failed(unknown(connection, operation));
  const [other] = Object.keys(others);
  if (other !== undefined) return failed(misplaced(other));
  if (!isObject(input))
    return failed({ error: "input must be an object.", code: "invalid_input", field: "input" });
  return callOperation(connection, op, input, signal);
}

function misplaced(name: string) {
  return {
    error: `There is no argument ${JSON.stringify(name)} beside operation and input.`,
    code: "invalid_input",
    field: name,
    hint: "All that the operation takes stands in input.",
  };
}

function unknown(connection: Connection, operation: unknown) {
  const names = reachable(connection).map(({ name }) => name);
  const own = operationList.find((one) => one.exposure === "tool" && one.name === operation);
  return {
    error: `There is no operation ${JSON.stringify(operation)} to be called so.`,
    code: "not_found",
    field: "operation",
    hint: own ? `Call the tool ${toolName(own.name)}.` : `There are: ${names.join(", ")}.`,
  };
}

function reachable(connection: Connection): Operation[] {
  return operationsFor(connection).filter(({ exposure }) => exposure === "searchable");
}

import { type CallToolResult, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { nearestName } from "@tandem/contract/nearest-name";
import type { Operation } from "@tandem/contract/operation";
import { operationList } from "@tandem/contract/operations";
import { unknownName } from "@tandem/contract/unknown-fields";
import { callOperation } from "./call-operation.ts";
import type { Connection } from "./connection.ts";
import { failed } from "./failure.ts";
import { search } from "./finder.ts";
import { CALL, SEARCH, toolName } from "./names.ts";
import { isObject } from "./schema-utils.ts";
import { hasOwnTool, hasTool, isSearchable, operationsFor } from "./visibility.ts";

/** Handles `tools/call`. An unknown tool is a protocol error; one that this key's scopes don't allow returns an error result. */
export async function callTool(
  connection: Connection,
  name: string,
  args: Record<string, unknown>,
  signal: AbortSignal,
): Promise<CallToolResult> {
  if (name === SEARCH) return searchResult(connection, args);
  if (name === CALL) return callSearchable(connection, args, signal);
  const op = operationList.find((candidate) => hasTool(candidate) && toolName(candidate.name) === name);
  if (!op) throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownTool(name));
  return callOperation(connection, op, args, signal);
}

/** Many models call a tool by the name of its operation, or leave out the prefix. */
function unknownTool(name: string): string {
  const named = new Map(
    operationList.filter((op) => hasTool(op) || isSearchable(op)).map((op) => [op.name, op]),
  );
  const meant = named.get(nearestName(name.replace(/^tandem[^a-z]*/i, ""), [...named.keys()]) ?? "");
  const hint =
    meant &&
    (hasTool(meant)
      ? `; did you mean \`${toolName(meant.name)}\`?`
      : `; call \`${meant.name}\` with \`${CALL}\`.`);
  return `Unknown tool ${JSON.stringify(name)}${hint ?? "."} \`tools/list\` has all tools, and \`${SEARCH}\` finds further operations.`;
}

const NO_MATCH =
  "No operation matches. Try other words, or an empty query to list all operations. One of your other tools may do it, too. Some actions are only for people, in the web app.";

function searchResult(connection: Connection, { query }: Record<string, unknown>): CallToolResult {
  const words = typeof query === "string" ? query : "";
  const operations = search(searchableOperations(connection), words, connection.files);
  if (operations.length === 0)
    return {
      content: [{ type: "text", text: NO_MATCH }],
      structuredContent: { operations },
    };
  const lines = operations.map(
    ({ name, description, effect, input }) =>
      `- ${name} (${effect}): ${description} Input: ${JSON.stringify(input)}`,
  );
  const structuredContent = { operations };
  return { content: [{ type: "text", text: lines.join("\n") }], structuredContent };
}

async function callSearchable(
  connection: Connection,
  { operation, input = {}, ...others }: Record<string, unknown>,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const op = operationList.find((one) => isSearchable(one) && one.name === operation);
  if (!op) return failed(unknownOperation(connection, operation));
  const [other] = Object.keys(others);
  if (other !== undefined) return failed(unknownArgument(other));
  if (!isObject(input))
    return failed({ error: "input must be an object.", code: "invalid_input", field: "input" });
  return callOperation(connection, op, input, signal);
}

function unknownArgument(name: string) {
  return {
    error: unknownName("There is no argument", name, { what: "The tool", takes: ["operation", "input"] }),
    code: "invalid_input",
    field: name,
    hint: "Put the operation's arguments in `input`.",
  };
}

function unknownOperation(connection: Connection, operation: unknown) {
  const names = searchableOperations(connection).map(({ name }) => name);
  const withTool = operationList.find((candidate) => hasTool(candidate) && candidate.name === operation);
  return {
    error: `${JSON.stringify(operation)} isn't an operation that this tool can call.`,
    code: "not_found",
    field: "operation",
    hint: withTool
      ? `Call the tool ${toolName(withTool.name)}.`
      : `Available operations: ${names.join(", ")}.`,
  };
}

function searchableOperations(connection: Connection): Operation[] {
  return operationsFor(connection).filter((op) => isSearchable(op) && !hasOwnTool(op, connection));
}

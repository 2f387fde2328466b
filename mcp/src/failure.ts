import { type CallToolResult, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { TandemError } from "@tandem/client/index";
import { operationList } from "@tandem/contract/operations";
import { toolName } from "./names.ts";

export const ERROR_META = "tandem/error";

interface Failure {
  error: string;
  code: string;
  field?: string | undefined;
  retryAfter?: number | undefined;
  hint?: string | undefined;
}

/** A refusal as a model reads it: what is wrong, and what to do next. What is a fault of the service is thrown. */
export function failureOf({ message, code, field, retryAfter, hint }: TandemError): CallToolResult {
  if (code === "internal") throw new ProtocolError(ProtocolErrorCode.InternalError, message);
  const next = code === "unreachable" ? (hint ?? LOST) : hint && inTools(hint);
  return failed({ error: message, code, field, retryAfter, hint: next });
}

export function failed(failure: Failure): CallToolResult {
  const { error, code, field, retryAfter, hint = "Correct the arguments and call again." } = failure;
  const where = [code, field && `field ${field}`, retryAfter && `retry after ${retryAfter} s`];
  const text = `Refused: ${error} (${where.filter(Boolean).join(", ")}) ${hint}`;
  return { isError: true, content: [{ type: "text", text }], _meta: { [ERROR_META]: { ...failure } } };
}

const LOST =
  "Nobody knows whether it was done. Call again with the same arguments: what was posted isn't posted twice.";

/** The longest first: one path begins another. */
const routes = operationList
  .filter(({ exposure }) => exposure === "tool")
  .map(({ name, method, path }) => ({ route: `${method} ${path}`, tool: toolName(name) }))
  .sort((a, b) => b.route.length - a.route.length);

/** The service speaks of routes; a model has tools. */
function inTools(hint: string): string {
  return routes.reduce((text, { route, tool }) => text.replaceAll(route, tool), hint);
}

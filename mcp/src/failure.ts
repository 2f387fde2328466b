import { type CallToolResult, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { TandemError } from "@tandem/client/index";
import { operationList } from "@tandem/contract/operations";
import type { FieldError } from "@tandem/contract/resources";
import { toolName } from "./names.ts";
import { hasTool } from "./visibility.ts";

export const ERROR_META = "tandem/error";

interface Failure {
  error: string;
  code: string;
  field?: string | undefined;
  errors?: readonly FieldError[] | undefined;
  retryAfter?: number | undefined;
  hint?: string | undefined;
}

/** An error as a result for the model: what is wrong, and what to do next. Internal errors are thrown. */
export function failureOf({
  message,
  status,
  code,
  field,
  errors,
  retryAfter,
  hint,
}: TandemError): CallToolResult {
  if (code === "internal") throw new ProtocolError(ProtocolErrorCode.InternalError, message);
  const next = status === 0 ? UNKNOWN_OUTCOME : hint && inTools(hint);
  return failed({ error: message, code, field, errors, retryAfter, hint: next });
}

export function failed(failure: Failure): CallToolResult {
  const {
    error,
    code,
    field,
    errors = [],
    retryAfter,
    hint = "Correct the arguments and call again.",
  } = failure;
  const where = [code, field && `field ${field}`, retryAfter && `retry after ${retryAfter} s`];
  const others = errors
    .slice(1)
    .map((other) => `${other.error} `)
    .join("");
  const text = `Error: ${error} ${others}(${where.filter(Boolean).join(", ")}) ${hint}`;
  return { isError: true, content: [{ type: "text", text }], _meta: { [ERROR_META]: { ...failure } } };
}

const UNKNOWN_OUTCOME =
  "It isn't known whether the call was executed. Call again with the same arguments; nothing is posted twice.";

/** The longest first, because one path can be the beginning of another. */
const routes = operationList
  .filter(hasTool)
  .map(({ name, method, path }) => ({ route: `${method} ${path}`, tool: toolName(name) }))
  .sort((a, b) => b.route.length - a.route.length);

/** Replaces routes with tool names. */
function inTools(hint: string): string {
  return routes.reduce((text, { route, tool }) => text.replaceAll(route, tool), hint);
}

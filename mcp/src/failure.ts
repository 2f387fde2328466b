import { type CallToolResult, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { ErrorCode } from "@tandem/contract/errors";
import type { Operation } from "@tandem/contract/operation";
import { isObject } from "./facts.ts";

export const ERROR_META = "tandem/error";

interface Failure {
  error: string;
  code?: string;
  field?: string;
  hint?: string;
  retryAfter?: number;
}

/** A refusal as a model reads it: what is wrong, and what to do next. What is a fault of the service is thrown. */
export async function failureOf(op: Operation, reply: Response): Promise<CallToolResult> {
  const body: unknown = await reply.json().catch(() => null);
  if (!isObject(body) || typeof body.error !== "string") return failed(away);
  if (body.code === "internal") throw new ProtocolError(ProtocolErrorCode.InternalError, body.error);
  const after = reply.headers.get("retry-after");
  const { error, code, field, hint } = body as unknown as Failure;
  return failed({
    error,
    ...(code && { code }),
    ...(field && { field }),
    ...(after !== null && { retryAfter: Number(after) }),
    hint: hint ?? next(op, code as ErrorCode, after),
  });
}

export function failed(failure: Failure): CallToolResult {
  const { error, code, field, hint } = failure;
  const where = [code, field && `field ${field}`].filter(Boolean).join(", ");
  const text = [`Refused: ${error}`, where && `(${where})`, hint].filter(Boolean).join(" ");
  return { isError: true, content: [{ type: "text", text }], _meta: { [ERROR_META]: failure } };
}

export const away: Failure = {
  error: "The service can't be reached.",
  code: "overloaded",
  hint: "Nothing is known to have changed. Call again with the same arguments: it takes effect once.",
};

const steps: Partial<Record<ErrorCode, string>> = {
  unauthorized: "The key is missing, mistyped or revoked: whoever runs this tool server must give it a live one.",
  session_required: "Only a person can do this, on the site. Ask yours.",
  agent_forbidden: "Only a person can do this, on the site. Ask yours.",
  forbidden: "It isn't yours, or its owner doesn't want it. Leave it be.",
  not_found: "Look for the right id with a list or a search.",
  idempotency_mismatch: "That idempotencyKey was used with other arguments: take another, or leave it out.",
  idempotency_in_progress: "The first call still runs: look whether it took effect before calling again.",
};

function next(op: Operation, code: ErrorCode, after: string | null): string {
  if (after !== null) return `Wait ${after} seconds, then call again. tandem_read_own_key tells what is left.`;
  if (code === "insufficient_scope" && op.access.kind === "scope")
    return `Its owner can mint a key with the scope ${op.access.scope}.`;
  return steps[code] ?? "Change the arguments and call again.";
}

import { type ErrorCode, errors } from "@tandem/contract/errors";
import type { JsonSchemaNode } from "@tandem/contract/facts";
import {
  type Access,
  isWrite,
  type Operation,
  takesForm,
  takesIdempotencyKey,
  takesJson,
} from "@tandem/contract/operation";
import { publishedFields } from "@tandem/contract/schema";
import { stopsByPause } from "../http/access.ts";
import { heedsDeniedLinks } from "../http/denied-links.ts";

export function takesBody(op: Operation): boolean {
  return takesJson(op) || takesForm(op);
}

/** Every code that an operation can answer with, short of a fault of the service's; in the order of their table. */
export function refusalsOf(op: Operation): ErrorCode[] {
  const possible = new Set<ErrorCode>([
    ...byAccess(op),
    ...byShape(op),
    ...byQuota(op),
    ...op.errors,
    "overloaded",
  ]);
  return errorCodes.filter((code) => possible.has(code));
}

/** The same, by the status that each comes with. */
export function refusalsByStatus(op: Operation): [status: number, codes: ErrorCode[]][] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of refusalsOf(op)) {
    const { status } = errors[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus];
}

export const errorCodes = Object.keys(errors) as ErrorCode[];

const refusedByAccess: Record<Access["kind"], ErrorCode[]> = {
  anyone: [],
  caller: [],
  scope: ["insufficient_scope"],
  session: ["session_required"],
  key: ["forbidden"],
};

function byAccess(op: Operation): ErrorCode[] {
  const { access } = op;
  // A Bearer token that is no live key is refused even where none is needed.
  const codes: ErrorCode[] = ["unauthorized", ...refusedByAccess[access.kind]];
  const peopleOnly = access.kind === "session" && !access.agents;
  if (peopleOnly) codes.push("agent_forbidden");
  // Only keys and agents are ever paused.
  if (!peopleOnly && stopsByPause(op)) codes.push("paused");
  if (access.kind === "session" && access.admins) codes.push("forbidden");
  if (isWrite(op) && access.kind !== "key") codes.push("cross_origin");
  return codes;
}

function byShape(op: Operation): ErrorCode[] {
  // Even an operation that takes nothing refuses a query that can't be decoded.
  const codes: ErrorCode[] = ["invalid_input", ...preciseCodes(op)];
  if (publishedFields(op.body).length > 0) codes.push("key_exposed");
  if (heedsDeniedLinks(op)) codes.push("denied_link");
  // Bodies are received, and measured, before it matters whether the operation wants one.
  if (isWrite(op)) codes.push("payload_too_large", "unsupported_media_type");
  if (takesJson(op)) codes.push("invalid_json");
  return codes;
}

function preciseCodes(op: Operation): ErrorCode[] {
  const fields: JsonSchemaNode[] = [op.params, op.query, op.body].flatMap(({ properties }) =>
    Object.values(properties),
  );
  return fields.flatMap((field) => field["x-code"] ?? []);
}

function byQuota(op: Operation): ErrorCode[] {
  const codes: ErrorCode[] = isWrite(op) ? ["rate_limited"] : [];
  if (takesIdempotencyKey(op)) codes.push("idempotency_in_progress", "idempotency_mismatch");
  return codes;
}

import { isApprovable } from "@tandem/contract/approval";
import { type ErrorCode, errors } from "@tandem/contract/errors";
import { OwnPassword } from "@tandem/contract/fields";
import type { JsonSchemaNode } from "@tandem/contract/json-schema";
import {
  type Access,
  fieldScopesOf,
  isWrite,
  type Operation,
  takesForm,
  takesIdempotencyKey,
  takesJson,
} from "@tandem/contract/operation";
import { publishedFields } from "@tandem/contract/schema";
import { stopsByPause } from "../http/access.ts";
import { checksDeniedLinks } from "../http/denied-links.ts";
import { stopsBySuspension } from "../http/suspension.ts";

export function takesBody(op: Operation): boolean {
  return takesJson(op) || takesForm(op);
}

/** Every error code that an operation can return except `internal`, in the order of the contract's table. */
export function errorCodesOf(op: Operation): ErrorCode[] {
  const possible = new Set<ErrorCode>([
    ...byAccess(op),
    ...byShape(op),
    ...byQuota(op),
    ...op.errors,
    "overloaded",
    "storage_failure",
  ]);
  return errorCodes.filter((code) => possible.has(code));
}

/** The same codes, grouped by status. */
export function errorCodesByStatus(op: Operation): [status: number, codes: ErrorCode[]][] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(op)) {
    const { status } = errors[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus];
}

export const errorCodes = Object.keys(errors) as ErrorCode[];

const accessErrors: Record<Access["kind"], ErrorCode[]> = {
  anyone: [],
  caller: [],
  scope: ["insufficient_scope"],
  session: ["session_required"],
  key: ["forbidden"],
};

function byAccess(op: Operation): ErrorCode[] {
  const { access } = op;
  // An invalid Bearer token is refused even by operations that require no credential.
  const codes: ErrorCode[] = ["unauthorized", "key_expired", ...accessErrors[access.kind]];
  const peopleOnly = access.kind === "session" && !access.agents;
  if (peopleOnly) codes.push("agent_forbidden");
  if (fieldScopesOf(op).size > 0) codes.push("insufficient_scope");
  // A call that waits for approval becomes a draft.
  if (isApprovable(op.name)) codes.push("draft_limit");
  // Only keys and agents can be paused.
  if (!peopleOnly && stopsByPause(op)) codes.push("paused");
  if (stopsBySuspension(op)) codes.push("suspended");
  if (access.kind === "session" && access.admins) codes.push("forbidden", "two_factor_setup_required");
  if (isWrite(op) && access.kind !== "key") codes.push("cross_origin");
  return codes;
}

function byShape(op: Operation): ErrorCode[] {
  // Even an operation without input refuses a query that can't be decoded.
  const codes: ErrorCode[] = ["invalid_input", ...preciseCodes(op)];
  // For an account without a password, a recent proof takes its place.
  if (Object.values(op.body.properties).includes(OwnPassword)) codes.push("reauthentication_required");
  if (publishedFields(op.body).length > 0) codes.push("key_exposed");
  if (checksDeniedLinks(op)) codes.push("denied_link");
  // The size of a body is checked before it is known whether the operation takes one.
  if (isWrite(op)) codes.push("payload_too_large", "unsupported_media_type");
  // An operation without a body reads one to refuse its fields.
  if (isWrite(op) && (takesJson(op) || !takesForm(op))) codes.push("invalid_json");
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

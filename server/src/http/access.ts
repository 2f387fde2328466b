import { adminOperations } from "@tandem/contract/community-names";
import {
  type Access,
  fieldScopesOf,
  type Operation,
  scopesOf,
  takesIdempotencyKey,
} from "@tandem/contract/operation";
import { ApiError } from "./api-error.ts";
import type { Caller } from "./caller.ts";
import { memoizePerInstance } from "./memoize-per-instance.ts";
import type { Services } from "./services.ts";

/** Throws unless this caller may use this operation. Checked in this order: credential, access, scope. */
export function authorize(op: Operation, caller: Caller | null): void {
  checkAccessKind(op, caller);
  if (caller?.paused && stopsByPause(op)) throw new ApiError("paused");
}

/** Throws if this server requires a second factor of admins, and an admin without one calls what admins may do. */
export async function requireAdminFactor(
  { config, storage }: Services,
  { name, access }: Operation,
  caller: Caller | null,
) {
  const isForAdmin =
    (access.kind === "session" && access.admins) || adminOperations.some((one) => one === name);
  if (!config.adminTwoFactor || !isForAdmin || caller?.role !== "admin") return;
  const factor = await storage.read
    .selectFrom("second_factors")
    .select("user_id")
    .where("user_id", "=", caller.userId)
    .where("confirmed_at", "is not", null)
    .executeTakeFirst();
  if (!factor) throw new ApiError("two_factor_setup_required");
}

/** Whether a pause blocks this operation: writes, except public ones and logging out. */
export function stopsByPause(op: Operation): boolean {
  return takesIdempotencyKey(op) && op.name !== "logOut";
}

function checkAccessKind({ access }: Operation, caller: Caller | null): void {
  if (access.kind === "anyone") return;
  if (!caller) throw new ApiError("unauthorized");
  switch (access.kind) {
    case "caller":
      return;
    case "session":
      if (caller.key) throw new ApiError("session_required");
      if (caller.isAgent && !access.agents) throw new ApiError("agent_forbidden");
      if (access.admins && caller.role !== "admin")
        throw new ApiError("forbidden", "Only admins can do this.");
      return;
    case "scope":
      requireScope(caller, access);
      return;
    case "key":
      if (!caller.key) throw new ApiError("forbidden", "Only a key can read its own status.");
  }
}

type Scoped = Extract<Access, { kind: "scope" }>;

/** Throws if a key has none of the required scopes. */
export function requireScope(caller: Caller, access: Scoped): void {
  if (!hasScope(caller, access))
    throw new ApiError(
      "insufficient_scope",
      `This needs a key with the scope ${scopesOf(access).join(" or ")}.`,
    );
}

const fieldScopes = memoizePerInstance((op: Operation) => fieldScopesOf(op));

/** Throws if a key lacks the scope that a field needs which it sent. No scope is needed to send nothing: null or an empty list. */
export function requireFieldScopes(
  caller: Caller,
  op: Operation,
  sent: Readonly<Record<string, unknown>>,
): void {
  for (const [field, scope] of fieldScopes(op)) {
    const value = Object.hasOwn(sent, field) ? sent[field] : undefined;
    const isNothing = value == null || (Array.isArray(value) && value.length === 0);
    if (!isNothing && !hasScope(caller, { kind: "scope", scope }))
      throw new ApiError("insufficient_scope", `${field} needs a key with the scope ${scope}.`, { field });
  }
}

/** Whether a key has one of the required scopes. A session needs none. */
export function hasScope({ key }: Caller, access: Scoped): boolean {
  return key === null || scopesOf(access).some((scope) => key.scopes.includes(scope));
}

interface RequestOrigin {
  method: string;
  authorization?: string | undefined;
  cookie?: string | undefined;
  origin?: string | undefined;
  site?: string | undefined;
  host?: string | undefined;
}

/**
 * CSRF protection: refuses writes that another site made a browser send, if they are authenticated by a cookie or would
 * set one. Bearer tokens are exempt, because browsers never send them on their own.
 */
export function checkOrigin(request: RequestOrigin, baseUrl: string): void {
  if (request.method === "GET" || request.method === "HEAD" || request.authorization !== undefined) return;
  const { origin, site } = request;
  const foreignSite = site !== undefined && site !== "same-origin" && site !== "none";
  if (foreignSite || (origin !== undefined && !isOwn(origin, request.host, baseUrl)))
    throw new ApiError("cross_origin");
}

function isOwn(origin: string, host: string | undefined, baseUrl: string): boolean {
  const url = URL.canParse(origin) ? new URL(origin) : null;
  const own = new URL(baseUrl);
  return url !== null && (url.origin === own.origin || (url.host === host && url.protocol === own.protocol));
}

import { type Access, isKnownWrite, type Operation, scopesOf } from "@tandem/contract/operation";
import type { Caller } from "./caller.ts";
import { Problem } from "./problem.ts";

/** Whether this caller may call this operation at all (decisions: order, steps 1 to 3). */
export function judgeAccess(op: Operation, caller: Caller | null): void {
  judgeKind(op, caller);
  if (caller?.paused && stopsByPause(op)) throw new Problem("paused");
}

/** Whether a pause keeps from it: from writes, but from nothing that anybody may do, nor from leaving. */
export function stopsByPause(op: Operation): boolean {
  return isKnownWrite(op) && op.name !== "logOut";
}

function judgeKind({ access }: Operation, caller: Caller | null): void {
  if (access.kind === "anyone") return;
  if (!caller) throw new Problem("unauthorized");
  switch (access.kind) {
    case "caller":
      return;
    case "session":
      if (caller.key) throw new Problem("session_required");
      if (caller.isAgent && !access.agents) throw new Problem("agent_forbidden");
      if (access.admins && caller.role !== "admin")
        throw new Problem("forbidden", "Only admins may do this.");
      return;
    case "scope":
      requireScope(caller, access);
      return;
    case "key":
      if (!caller.key) throw new Problem("forbidden", "Only a key can ask this about itself.");
  }
}

/** Refuses a key that has none of the scopes which will do. */
export function requireScope({ key }: Caller, access: Extract<Access, { kind: "scope" }>): void {
  const scopes = scopesOf(access);
  if (key && !scopes.some((one) => key.scopes.includes(one)))
    throw new Problem("insufficient_scope", `This needs a key with the scope ${scopes.join(" or ")}.`);
}

interface Provenance {
  method: string;
  authorization?: string | undefined;
  cookie?: string | undefined;
  origin?: string | undefined;
  site?: string | undefined;
  host?: string | undefined;
}

/**
 * Refuses what another site made a browser send: a write that a cookie vouches for, or that would set one.
 * A Bearer token is never sent by a browser unasked, so it is exempt.
 */
export function judgeOrigin(request: Provenance, baseUrl: string): void {
  if (request.method === "GET" || request.method === "HEAD" || request.authorization !== undefined) return;
  const { origin, site } = request;
  const foreignSite = site !== undefined && site !== "same-origin" && site !== "none";
  if (foreignSite || (origin !== undefined && !isOwn(origin, request.host, baseUrl)))
    throw new Problem("cross_origin");
}

function isOwn(origin: string, host: string | undefined, baseUrl: string): boolean {
  const url = URL.canParse(origin) ? new URL(origin) : null;
  const own = new URL(baseUrl);
  return url !== null && (url.origin === own.origin || (url.host === host && url.protocol === own.protocol));
}

import { type Operation, scopesOf } from "@tandem/contract/operation";
import { operationList } from "@tandem/contract/operations";
import type { Scope } from "@tandem/contract/scopes";
import type { FileAccess } from "./files.ts";

/** The scopes of a caller's key; null without a key, which allows only reading public data. */
export type KeyScopes = readonly Scope[] | null;

/** What determines a caller's tools: the key's scopes, and how files can be sent. */
export interface Offer {
  scopes: KeyScopes;
  files: FileAccess;
}

/** The operations that a caller's tools can call, in the contract's order. */
export function operationsFor({ scopes }: Pick<Offer, "scopes">): Operation[] {
  return operationList.filter(
    (op) => op.exposure !== "hidden" && (op.exposure !== "keyless" || scopes === null) && mayCall(op, scopes),
  );
}

/** Whether an operation has a tool of its own, at least for some callers. */
export const hasTool = ({ exposure }: Operation): boolean => exposure === "tool" || exposure === "keyless";

export function mayCall({ access }: Operation, scopes: KeyScopes): boolean {
  if (access.kind === "anyone") return true;
  if (access.kind === "scope") return scopesOf(access).some((name) => scopes?.includes(name));
  return access.kind !== "session" && scopes !== null;
}

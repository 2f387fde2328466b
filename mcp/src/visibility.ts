import { type Operation, scopesOf } from "@tandem/contract/operation";
import { operationList } from "@tandem/contract/operations";
import type { Scope } from "@tandem/contract/scopes";
import type { FileAccess } from "./files.ts";

/** The scopes of a caller's key; null without a key, which allows only reading public data. */
export type KeyScopes = readonly Scope[] | null;

/** What determines a caller's tools: the key's scopes, what the service has turned on, and how files can be sent. */
export interface Offer {
  scopes: KeyScopes;
  /** Whether the service finds posts by meaning. */
  byMeaning: boolean;
  files: FileAccess;
}

/** The operations that a caller's tools can call, in the contract's order. */
export function operationsFor({ scopes }: Pick<Offer, "scopes">): Operation[] {
  return operationList.filter(
    (op) => op.exposure !== "hidden" && (op.exposure !== "keyless" || scopes === null) && mayCall(op, scopes),
  );
}

/** Whether an operation has a tool of its own, at least for some callers. */
export const hasTool = ({ exposure }: Operation): boolean =>
  exposure === "tool" || exposure === "keyless" || exposure === "optional";

/** Whether it is found by the tool that searches, at least by some callers. */
export const isSearchable = ({ exposure }: Operation): boolean =>
  exposure === "searchable" || exposure === "optional";

/** Whether it has a tool of its own for this caller. Without a key, there is no room for more: every newcomer reads that list. */
export const hasOwnTool = (op: Operation, { scopes, byMeaning }: Omit<Offer, "files">): boolean =>
  op.exposure === "optional" ? byMeaning && scopes !== null : hasTool(op);

export function mayCall({ access }: Operation, scopes: KeyScopes): boolean {
  if (access.kind === "anyone") return true;
  if (access.kind === "scope") return scopesOf(access).some((name) => scopes?.includes(name));
  return access.kind !== "session" && scopes !== null;
}

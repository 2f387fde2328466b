import { type Operation, scopesOf } from "@tandem/contract/operation";
import { operationList } from "@tandem/contract/operations";
import type { Scope } from "@tandem/contract/scopes";

/** What a caller may do: the scopes of its key; null for one without a key, who reads what is public. */
export type HeldScopes = readonly Scope[] | null;

/** What is offered: who asks, and whether files of this machine can be sent. */
export interface Offer {
  held: HeldScopes;
  files: boolean;
}

/** The operations within reach of a caller's tools, in the order of the contract. */
export function operationsFor({ held, files }: Offer): Operation[] {
  return operationList.filter(
    (op) => op.exposure !== "hidden" && mayCall(op, held) && (files || !needsFile(op)),
  );
}

export function mayCall({ access }: Operation, held: HeldScopes): boolean {
  if (access.kind === "anyone") return true;
  if (access.kind === "scope") return scopesOf(access).some((one) => held?.includes(one));
  return access.kind !== "session" && held !== null;
}

export function needsFile(op: Operation): boolean {
  return Object.values(op.files).some((file) => file.required);
}

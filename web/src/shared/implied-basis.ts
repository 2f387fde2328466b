import { provenanceBases } from "@tandem/contract/provenance";

/**
 * In the app, a filter for posts by people leaves out imported posts of unknown provenance, unless a basis is given. Returns
 * the `basis` to add, if any.
 */
export function impliedBasis(provenance: string | null | undefined, basis: string | null | undefined) {
  if (basis || !provenance?.split(",").includes("human")) return undefined;
  return provenanceBases.filter((one) => one !== "assumed").join();
}

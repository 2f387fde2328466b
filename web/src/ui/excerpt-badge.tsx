import type { Decision } from "@tandem/contract/moderation";
import { ProvenanceBadge } from "./provenance-badge.tsx";

/** The mark in front of a quote that AI wrote. Nothing in front of others, and where that isn't known. */
export function ExcerptBadge({
  excerptProvenance: provenance,
  excerptProvenanceBasis: provenanceBasis,
}: Pick<Decision, "excerptProvenance" | "excerptProvenanceBasis">) {
  if (provenance === null || provenanceBasis === null || provenance === "human") return null;
  return <ProvenanceBadge provenance={provenance} provenanceBasis={provenanceBasis} short />;
}

import type { Post } from "@tandem/contract/post-resources";
import type { Provenance, ProvenanceBasis } from "@tandem/contract/provenance";

export const provenanceWords: Record<Provenance, string> = {
  human: "Written by a person",
  ai_generated: "AI-generated",
  ai_assisted: "Written with AI's help",
};

const sayers: Record<ProvenanceBasis, string> = {
  stamped: "",
  declared: ", according to its author",
  origin: ", according to its origin",
  assumed: "",
};

/** A post's provenance in words, with who says so. Claims nothing if no one does. */
export function provenanceLabel({
  provenance,
  provenanceBasis: basis,
}: Pick<Post, "provenance" | "provenanceBasis">): string {
  if (basis === "assumed") return "Unknown whether AI was involved";
  // Origins say only that an account is a bot, not what writes its posts.
  if (provenance === "ai_generated" && basis === "origin") return `AI-generated or automated${sayers.origin}`;
  // What people write here is their own unless they say otherwise.
  return provenance === "human" && basis === "declared"
    ? provenanceWords.human
    : provenanceWords[provenance] + sayers[basis];
}

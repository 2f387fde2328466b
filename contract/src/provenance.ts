/** How much AI was involved in a post. */
export const provenances = ["human", "ai_generated", "ai_assisted"] as const;
export type Provenance = (typeof provenances)[number];

/**
 * Where a post's provenance comes from: `stamped` by the server, because a key or agent wrote it; `declared` by its author;
 * stated by the `origin` of an imported post; `assumed`, because nothing is known.
 */
export const provenanceBases = ["stamped", "declared", "origin", "assumed"] as const;
/** The bases of what is written here. */
export const ownBases = ["stamped", "declared"] as const satisfies readonly ProvenanceBasis[];
export type ProvenanceBasis = (typeof provenanceBases)[number];

/** The bases that each provenance can have. */
export const basesOf = {
  human: ["declared", "origin", "assumed"],
  ai_assisted: ["declared", "origin"],
  ai_generated: ["stamped", "declared", "origin"],
} as const satisfies Record<Provenance, readonly ProvenanceBasis[]>;

import type { Comment } from "@tandem/contract/post-resources";

/** People can't say that AI helped them with a comment. What keys and agents write is stamped. */
export const commentAuthorship = ({ isAiGenerated }: Pick<Comment, "isAiGenerated">) =>
  isAiGenerated
    ? ({ provenance: "ai_generated", provenanceBasis: "stamped" } as const)
    : ({ provenance: "human", provenanceBasis: "declared" } as const);

import type { Provenance } from "@tandem/contract/provenance";

/** IPTC's digital source types. */
export const sourceTypes: Record<Provenance, string | undefined> = {
  human: undefined,
  ai_assisted: "http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia",
  ai_generated: "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia",
};

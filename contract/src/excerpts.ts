import { provenanceBases, provenances } from "./provenance.ts";
import { nullable, oneOf } from "./schema.ts";

/**
 * The fields that say who wrote what an `excerpt` quotes.
 * @param when as it was at which time, and when both are null: the end of a description
 */
export const excerptMark = (when: string) => ({
  excerptProvenance: nullable(oneOf(provenances), {
    description: `The \`provenance\` of what the \`excerpt\` quotes, ${when}`,
    examples: ["human"],
  }),
  excerptProvenanceBasis: nullable(oneOf(provenanceBases), {
    description: "Where that comes from, as a post's `provenanceBasis` says it.",
    examples: ["declared"],
  }),
});

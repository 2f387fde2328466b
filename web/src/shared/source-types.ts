import { digitalSourceTypes, sourceTypeVocabulary } from "@tandem/contract/digital-source-types";
import type { Provenance } from "@tandem/contract/provenance";

/** The address of IPTC's Digital Source Type. JSON leaves out undefined values. */
export function sourceTypeOf(provenance: Provenance): string | undefined {
  const code = digitalSourceTypes[provenance];
  return code ? sourceTypeVocabulary + code : undefined;
}

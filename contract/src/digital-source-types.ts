/* IPTC's Digital Source Type says how something was made. Without schemas, so that browser code can import it. */

import type { Provenance } from "./provenance.ts";

/** A statement that AI was involved. */
export type AiProvenance = Exclude<Provenance, "human">;

/** IPTC's code for a post's provenance; null if there is nothing to state. */
export const digitalSourceTypes = {
  human: null,
  ai_generated: "trainedAlgorithmicMedia",
  ai_assisted: "compositeWithTrainedAlgorithmicMedia",
} as const satisfies Record<Provenance, string | null>;

export const sourceTypeVocabulary = "http://cv.iptc.org/newscodes/digitalsourcetype/";

/**
 * All codes that mean that a trained model was involved, in lower case. Other algorithms, such as a camera's or a renderer's,
 * aren't AI here.
 */
const aiCodes: Readonly<Record<string, AiProvenance>> = {
  trainedalgorithmicmedia: "ai_generated",
  // C2PA's own code, for other data than media.
  trainedalgorithmicdata: "ai_generated",
  compositewithtrainedalgorithmicmedia: "ai_assisted",
  compositesynthetic: "ai_assisted",
};

/**
 * What a Digital Source Type says about AI; null if nothing. Takes IPTC's and C2PA's addresses, IPTC's short form
 * (`digsrctype:…`), schema.org's names (`TrainedAlgorithmicMediaDigitalSource`) with or without address, and bare codes.
 */
export function provenanceOfSourceType(value: unknown): AiProvenance | null {
  if (typeof value !== "string") return null;
  const [, code = ""] = /^(?:[\x21-\x7e]{0,200}[/:#])?([a-z]{1,60})\/?$/i.exec(value.trim()) ?? [];
  const name = code.toLowerCase().replace(/digitalsource$/, "");
  return Object.hasOwn(aiCodes, name) ? (aiCodes[name] ?? null) : null;
}

/** The statement of several that says more AI. Whatever says nothing, or says human, takes nothing away. */
export function mostAi(...stated: readonly (Provenance | null | undefined)[]): AiProvenance | null {
  if (stated.includes("ai_generated")) return "ai_generated";
  return stated.includes("ai_assisted") ? "ai_assisted" : null;
}

/**
 * Normalizes text for case-insensitive search in any script. Lower and then upper case, because some letters are
 * equal in one case only (ς and σ, ß and SS). NFC in between, because some letters with two marks have no
 * precomposed capital (ΐ).
 */
export function fold(text: string): string {
  return text.toLowerCase().normalize("NFC").toUpperCase();
}

/** Accents of letters, and characters that can't be seen. */
const IGNORED = /(?:\p{Cf}|[\u0300-\u036f]|\ufe0f)+/gu;

/** More marks on a letter than any language has. Normalizing sorts them, in time that grows with their square. */
const TOO_MANY_MARKS = /([\p{M}\uff9e\uff9f]{8})[\p{M}\uff9e\uff9f]+/gu;
/** Twice as many characters as the longest text has. Some characters become eighteen. */
const MOST = 20_000;

/** Folded like the text of a search, and without accents, so that "cafe" and "CAFÉ" are equal. */
export function foldAccents(text: string): string {
  const decomposed = text.replace(TOO_MANY_MARKS, "$1").normalize("NFKD").slice(0, MOST);
  return fold(decomposed.replace(IGNORED, "").replace(/[’‘]/g, "'"));
}

/** The distinct words of a query, folded. A match contains all of them. */
export function searchTerms(query: string): string[] {
  return [...new Set(fold(query).split(/\s+/u).filter(Boolean))];
}

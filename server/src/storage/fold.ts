/**
 * Text as search compares it: without regard to case, in any script. Lower and then upper case, because
 * some letters meet in one case only (ς and σ, ß and SS). Composed in between, because letters with two marks
 * have no capital of their own (ΐ).
 */
export function fold(text: string): string {
  return text.toLowerCase().normalize("NFC").toUpperCase();
}

/** The words of a query, each to be found; folded, without repetition. */
export function searchTerms(query: string): string[] {
  return [...new Set(fold(query).split(/\s+/u).filter(Boolean))];
}

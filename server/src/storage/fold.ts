/**
 * Normalizes text for case-insensitive search in any script. Lower and then upper case, because some letters are
 * equal in one case only (ς and σ, ß and SS). NFC in between, because some letters with two marks have no
 * precomposed capital (ΐ).
 */
export function fold(text: string): string {
  return text.toLowerCase().normalize("NFC").toUpperCase();
}

/** The distinct words of a query, folded. A match contains all of them. */
export function searchTerms(query: string): string[] {
  return [...new Set(fold(query).split(/\s+/u).filter(Boolean))];
}

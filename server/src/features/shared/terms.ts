import { limits } from "@tandem/contract/limits";
import { invalid } from "../../http/api-error.ts";
import { searchTerms } from "../../storage/fold.ts";

/** A search query's distinct terms. Throws `invalid_input` if there are too many: each costs a lookup. */
export function termsOf(q: string): string[] {
  const terms = searchTerms(q);
  if (terms.length <= limits.queryTerms) return terms;
  throw invalid("q", `A search can have at most ${limits.queryTerms} different words. Remove some.`);
}

import { limits } from "@tandem/contract/limits";
import { invalid } from "../../http/api-error.ts";
import { searchTerms } from "../../storage/fold.ts";

/** What a query asks for. Each term is more to look up: `invalid_input` where there are too many. */
export function termsOf(q: string): string[] {
  const terms = searchTerms(q);
  if (terms.length <= limits.queryTerms) return terms;
  throw invalid("q", `A search takes at most ${limits.queryTerms} different words.`);
}

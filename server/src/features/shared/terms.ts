import { limits } from "@tandem/contract/limits";
import { invalid } from "../../http/api-error.ts";
import { searchTerms } from "../../storage/fold.ts";
import { tagIn, tagKey } from "./muted-text.ts";

/** What a search for posts looks for: texts with all terms, and posts with all hashtags. */
export interface PostQuery {
  terms: string[];
  /** As they are compared. */
  tags: string[];
}

/** A hashtag is only found as one, as the feeds of its followers find it. Throws `invalid_input` if there are too many words. */
export function postQueryOf(q: string): PostQuery {
  const words = termsOf(q);
  const tags = words.flatMap((word) => tagOf(word) ?? []);
  return { terms: words.filter((word) => tagOf(word) === null), tags: [...new Set(tags.map(tagKey))] };
}

const tagOf = (word: string) => (word.startsWith("#") ? tagIn(word) : null);

/** A search query's distinct terms. Throws `invalid_input` if there are too many: each costs a lookup. */
export function termsOf(q: string): string[] {
  const terms = searchTerms(q);
  if (terms.length <= limits.queryTerms) return terms;
  throw invalid("q", `A search can have at most ${limits.queryTerms} different words. Remove some.`);
}

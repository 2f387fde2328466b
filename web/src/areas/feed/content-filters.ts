import { communityTerms } from "@tandem/contract/origins";
import type { FeedFilters } from "../../data/posts.ts";

/** What a feed is narrowed to, by who, where or what; in the words of the address. */
export function contentFilters({
  sort: _sort,
  saved: _saved,
  followed: _followed,
  cursor: _cursor,
  ...rest
}: FeedFilters) {
  return rest as Record<string, string | undefined>;
}

/** The community that a feed is narrowed to, by whatever term. */
export function communityFilter(filters: FeedFilters): string | undefined {
  return communityTerms.map((term) => filters[term]).find((name) => name !== undefined);
}

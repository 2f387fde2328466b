import { communityTerms } from "@tandem/contract/origins";
import type { FeedFilters } from "../../data/posts.ts";

/** The filters that restrict a feed's content, named as in the URL; without its order, tab and cursor. */
export function contentFilters({
  sort: _sort,
  saved: _saved,
  collectionId: _collectionId,
  followed: _followed,
  cursor: _cursor,
  ...rest
}: FeedFilters) {
  return rest as Record<string, string | undefined>;
}

/** The community that a feed is restricted to, by any platform's term for it. */
export function communityFilter(filters: FeedFilters): string | undefined {
  return communityTerms.map((term) => filters[term]).find((name) => name !== undefined);
}

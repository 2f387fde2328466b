import type { InfiniteData } from "@tanstack/react-query";

/** Options for infinite queries over cursor-paged lists. */
export const paging = {
  initialPageParam: null as number | null,
  getNextPageParam: ({ nextCursor }: { nextCursor: number | null }) => nextCursor,
};

/** The cursor parameter of a page. */
export const pageCursor = (pageParam: number | null) => (pageParam === null ? {} : { cursor: pageParam });

/** Maps every page of a cached list; undefined if there is none. */
export function mapPages<P, C>(
  list: InfiniteData<P, C> | undefined,
  change: (page: P) => P,
): InfiniteData<P, C> | undefined {
  return list && { ...list, pages: list.pages.map(change) };
}

import type { InfiniteData } from "@tanstack/react-query";

/** The cursors of lists that go on from page to page. */
export const paging = {
  initialPageParam: null as number | null,
  getNextPageParam: ({ nextCursor }: { nextCursor: number | null }) => nextCursor,
};

/** What a list's call takes to go on from where a page ended. */
export const pageCursor = (pageParam: number | null) => (pageParam === null ? {} : { cursor: pageParam });

/** The same list with every page changed; nothing where it was never read. */
export function mapPages<P, C>(
  list: InfiniteData<P, C> | undefined,
  change: (page: P) => P,
): InfiniteData<P, C> | undefined {
  return list && { ...list, pages: list.pages.map(change) };
}

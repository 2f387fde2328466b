import type { FeedFilters } from "../../data/posts.ts";

/** The list of posts that quote this one; `cursor` is where it starts. */
export const quoteFilters = (
  quoted: number,
  { cursor }: Readonly<Record<string, string | undefined>>,
): FeedFilters => ({ quoted, ...(cursor && { cursor: Number(cursor) }) });

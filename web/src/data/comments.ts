import type { FlatClient } from "@tandem/client";
import type { Comment, CommentOrder } from "@tandem/contract/post-resources";
import { type InfiniteData, infiniteQueryOptions, type QueryClient } from "@tanstack/react-query";
import { changePost } from "./posts.ts";

interface Page {
  comments: Comment[];
  nextCursor: number | null;
}

/** Comments on the first page: enough for most threads, and quick to render. Later pages are larger. */
const FIRST = 50;
const MORE = 200;

/** A post's comments. `all` includes those that the reader's AI preference or mutes hide. */
export const commentsQuery = (api: FlatClient, post: number, sort: CommentOrder, all = false) =>
  infiniteQueryOptions({
    queryKey: ["comments", post, sort, all],
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      api.listComments(
        {
          id: post,
          sort,
          limit: pageParam === null ? FIRST : MORE,
          ...(all && { ai: "show" as const, muted: "show" as const }),
          ...(pageParam !== null && { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: null as number | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/**
 * The comments of all pages, without duplicates: the reader's own may be in the cache before its page is
 * loaded.
 */
export function commentsOf({ pages }: Pick<InfiniteData<Page>, "pages">): Comment[] {
  const seen = new Set<number>();
  return pages.flatMap(({ comments }) => comments).filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** Changes a post's comments in all cached lists; returns a function that restores them. */
function changePages(queryClient: QueryClient, post: number, change: (pages: Page[]) => Page[]): () => void {
  const before = queryClient.getQueriesData({ queryKey: ["comments", post] });
  queryClient.setQueriesData<InfiniteData<Page>>(
    { queryKey: ["comments", post] },
    (list) => list && { ...list, pages: change(list.pages) },
  );
  return () => {
    for (const [key, value] of before) queryClient.setQueryData(key, value);
  };
}

/**
 * Appends a comment and increments the count, unless the comment is there already (after a repeated request).
 */
export function addComment(queryClient: QueryClient, post: number, comment: Comment): void {
  const lists = queryClient.getQueriesData<InfiniteData<Page>>({ queryKey: ["comments", post] });
  if (lists.some(([, list]) => list && commentsOf(list).some(({ id }) => id === comment.id))) return;
  changePages(queryClient, post, (pages) =>
    pages.map((page, i) =>
      i === pages.length - 1 ? { ...page, comments: [...page.comments, comment] } : page,
    ),
  );
  changePost(queryClient, post, (now) => ({ ...now, commentCount: now.commentCount + 1 }));
}

export const changeComment = (
  queryClient: QueryClient,
  post: number,
  id: number,
  change: (comment: Comment) => Comment,
) =>
  changePages(queryClient, post, (pages) =>
    pages.map((page) => ({
      ...page,
      comments: page.comments.map((comment) => (comment.id === id ? change(comment) : comment)),
    })),
  );

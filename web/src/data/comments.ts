import type { Client } from "@tandem/client";
import type { Comment } from "@tandem/contract/resources";
import { type InfiniteData, infiniteQueryOptions, type QueryClient } from "@tanstack/react-query";
import { changePost } from "./posts.ts";

interface Page {
  comments: Comment[];
  nextCursor: number | null;
}

/** Comments that come with the document: most threads whole, and none that takes long to draw. And with each page after. */
const FIRST = 50;
const MORE = 200;

/** A post's comments, oldest first, page by page; with `all`, also those of AI that the reader wants hidden. */
export const commentsQuery = (api: Client, post: number, all = false) =>
  infiniteQueryOptions({
    queryKey: ["comments", post, all],
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      api.listComments(
        {
          id: post,
          limit: pageParam === null ? FIRST : MORE,
          ...(all && { ai: "show" as const }),
          ...(pageParam !== null && { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: null as number | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** The comments of all pages, each once: one's own may be there before its page is. */
export function commentsOf({ pages }: Pick<InfiniteData<Page>, "pages">): Comment[] {
  const seen = new Set<number>();
  return pages.flatMap(({ comments }) => comments).filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** Changes a post's comments wherever they are kept; gives back what takes that back. */
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

/** Puts a comment in as the latest, and counts it; unless it is there, as the service was asked for it twice. */
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

import type { Post } from "@tandem/contract/post-resources";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useCallback } from "react";
import { errorMessage } from "../data/error-messages.ts";
import { useVisiblePosts } from "../data/hidden-posts.ts";
import { type FeedFilters, feedQuery, pagesOf } from "../data/posts.ts";
import { useText } from "../i18n/use-text.tsx";
import { useApi } from "../shared/context.ts";
import { lazyComponent } from "../ui/lazy-component.tsx";
import { LoadMore } from "../ui/load-more.tsx";
import { SkeletonCards } from "../ui/states.tsx";
import { useHydrated } from "../ui/use-hydrated.ts";
import { PostCard } from "./post-card.tsx";

const columnClass = "flex flex-col gap-2 sm:gap-4";

const KeyboardShortcuts = lazyComponent(() => import("./keyboard-shortcuts.tsx"));

/** A list of posts that loads more as the reader scrolls; `empty` is shown if there are none. */
export function PostList({
  filters,
  label,
  empty,
}: {
  filters: FeedFilters;
  label: string;
  empty: ReactNode;
}) {
  const { t } = useText();
  const feed = useInfiniteQuery(feedQuery(useApi(), filters));
  const isHydrated = useHydrated();
  const pages = useVisiblePosts(feed.data ? pagesOf(feed.data) : []);
  const count = countOf(pages);
  if (feed.isPending) return <SkeletonCards />;
  if (count === 0 && !feed.hasNextPage && !feed.isError) return empty;
  return (
    <>
      <div role="feed" aria-label={label} aria-busy={feed.isFetching} className={columnClass}>
        {pages.map((posts, i) => (
          <Page
            key={String(feed.data?.pageParams[i])}
            posts={posts}
            firstPosition={countOf(pages.slice(0, i)) + 1}
          />
        ))}
      </div>
      {feed.isError && (
        <p role="alert" className="px-4 pt-6 text-center text-danger">
          {errorMessage(feed.error, t)}
        </p>
      )}
      {/* Remounted for each page, so that the browser counts no layout shift. */}
      <LoadMore
        key={feed.data?.pages.length}
        list={feed}
        cursor={feed.data?.pages.at(-1)?.nextCursor}
        pause={endsEmpty(pages) ? t("card.emptyPages") : undefined}
      />
      {!feed.hasNextPage && count > 10 && (
        <p className="px-4 pb-6 text-center text-sm text-soft">{t("card.endOfList")}</p>
      )}
      {isHydrated && <KeyboardShortcuts />}
    </>
  );
}

/** Whether the last two pages are empty, as when a muted word is in most posts. There may be very many such pages. */
const endsEmpty = (pages: readonly Post[][]): boolean => pages.length > 1 && countOf(pages.slice(-2)) === 0;

const countOf = (pages: readonly Post[][]): number => pages.reduce((sum, { length }) => sum + length, 0);

/** One page of a list, with CSS containment: the browser skips its layout while it is off-screen. */
function Page({ posts, firstPosition }: { posts: readonly Post[]; firstPosition: number }) {
  const first = posts[0]?.id;
  const ref = useCallback((page: HTMLElement | null) => rememberHeight(page, first), [first]);
  if (first === undefined) return null;
  return (
    <div ref={ref} className={`${columnClass} deferred`}>
      {posts.map((post, i) => (
        <PostCard key={post.id} post={post} position={firstPosition + i} />
      ))}
    </div>
  );
}

/** The last known height of each page, by its first post's id. Restores the scroll position on return. */
const heights = new Map<number | undefined, number>();

function rememberHeight(page: HTMLElement | null, first: number | undefined): (() => void) | undefined {
  if (!page) return;
  const height = heights.get(first);
  if (height !== undefined) page.style.containIntrinsicBlockSize = `auto ${height}px`;
  return () => void heights.set(first, page.offsetHeight);
}

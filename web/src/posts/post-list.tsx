import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useApi } from "../data/context.ts";
import { useShown } from "../data/hidden.ts";
import { type FeedFilters, feedQuery, postsOf } from "../data/posts.ts";
import { inWords } from "../data/words.ts";
import { useText } from "../i18n/use-text.tsx";
import { useAlive } from "../ui/alive.ts";
import { later } from "../ui/later.tsx";
import { MoreBelow } from "../ui/more-below.tsx";
import { SkeletonCards } from "../ui/states.tsx";
import { PostCard } from "./post-card.tsx";

const Keyboard = later(() => import("./keyboard.tsx"));

/** The posts of some filters, as far as one reads; `empty` is shown where there are none. */
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
  const alive = useAlive();
  const posts = useShown(feed.data ? postsOf(feed.data) : []);
  if (feed.isPending) return <SkeletonCards />;
  if (posts.length === 0 && !feed.hasNextPage && !feed.isError) return empty;
  return (
    <>
      <div
        role="feed"
        aria-label={label}
        aria-busy={feed.isFetching}
        className="flex flex-col gap-2 sm:gap-4"
      >
        {posts.map((post, i) => (
          <PostCard key={post.id} post={post} place={i + 1} />
        ))}
      </div>
      {feed.isError && (
        <p role="alert" className="px-4 pt-6 text-center text-danger">
          {inWords(feed.error, t)}
        </p>
      )}
      {/* Another one for each page: what stood there goes instead of moving. */}
      <MoreBelow key={feed.data?.pages.length} list={feed} cursor={feed.data?.pages.at(-1)?.nextCursor} />
      {!feed.hasNextPage && posts.length > 10 && (
        <p className="px-4 pb-6 text-center text-sm text-soft">{t("card.ended")}</p>
      )}
      {alive && <Keyboard />}
    </>
  );
}

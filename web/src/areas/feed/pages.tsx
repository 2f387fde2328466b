import type { User } from "@tandem/contract/resources";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { checklistQuery } from "../../data/checklist.ts";
import { keepLastFeed } from "../../data/last-feed.ts";
import { meQuery, useMe } from "../../data/me.ts";
import { type FeedFilters, feedQuery, filtersFrom, postsOf } from "../../data/posts.ts";
import { initialFilters, useAppliedFilters } from "../../data/preferences.ts";
import { useText } from "../../i18n/use-text.tsx";
import { PostList } from "../../posts/post-list.tsx";
import { useSearch } from "../../router/provider.tsx";
import { useApi } from "../../shared/context.ts";
import { page } from "../../shared/page.ts";
import { WithAside } from "../../ui/aside.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { EmptyFeed } from "./empty-feed.tsx";
import { feedName } from "./feed-name.ts";
import { FeedTitle } from "./feed-title.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { NewPostsNotice, Sidebar } from "./sidebar.tsx";
import { FeedTabs } from "./tabs.tsx";
import { Welcome } from "./welcome.tsx";

const CollectionBar = lazyComponent(() => import("./collection-bar.tsx"));

export const Feed = page({
  load: ({ api, queryClient, search }) => {
    const me = queryClient.getQueryData(meQuery(api).queryKey);
    return Promise.all([
      queryClient.ensureInfiniteQueryData(
        feedQuery(api, initialFilters(queryClient, api, filtersFrom(search))),
      ),
      mayHaveFirstSteps(me) && queryClient.prefetchQuery(checklistQuery(api)),
    ]);
  },
  head: ({ i18n, search, baseUrl }) => ({
    title: feedName(filtersFrom(search), (key, values) => i18n._(key, values)),
    description: i18n._("feed.description"),
    // Later pages aren't duplicates of the first, so they have no canonical URL.
    ...(search.cursor === undefined && { canonical: "/" }),
    unlisted: Object.keys(search).length > 0,
    data: { "@context": "https://schema.org", "@type": "WebSite", name: "Tandem", url: `${baseUrl}/` },
  }),
  View: FeedView,
});

function FeedView() {
  const { t } = useText();
  const me = useMe();
  const urlFilters = filtersFrom(useSearch());
  const filters = useAppliedFilters(urlFilters);
  useLastFeed(filters);
  // As high as the bar of collections, so that nothing moves.
  const placeholder = <div className={`mb-3 ${urlFilters.collectionId === undefined ? "h-11" : "h-26"}`} />;
  const isUnfiltered = Object.keys(urlFilters).length === 0;
  return (
    <WithAside aside={<Sidebar filters={filters} />}>
      <div className="sm:pt-4">
        <FeedTitle filters={urlFilters} />
        {isUnfiltered && !me && <Welcome />}
        {mayHaveFirstSteps(me) && <FirstSteps />}
        <FeedTabs filters={urlFilters} />
        {me && urlFilters.saved !== undefined && (
          <CollectionBar filters={urlFilters} fallback={placeholder} placeholder={placeholder} />
        )}
        {isChronological(urlFilters) && <NewPostsNotice filters={filters} />}
        <PostList
          key={JSON.stringify(filters)}
          filters={filters}
          label={t("nav.feed")}
          empty={<EmptyFeed filters={urlFilters} />}
        />
      </div>
    </WithAside>
  );
}

/** Keeps the feed for the offline page. */
function useLastFeed(filters: FeedFilters): void {
  const me = useMe();
  const { data } = useInfiniteQuery({ ...feedQuery(useApi(), filters), enabled: false });
  const newest = data?.pages[0]?.posts[0]?.id;
  const keep = useEffectEvent(() => me && data && keepLastFeed(me, postsOf(data)));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a like or another page needn't be stored.
  useEffect(() => {
    keep();
  }, [me?.id, newest]);
}

/** Above every feed, so that nothing moves when someone chooses another. */
const mayHaveFirstSteps = (me: User | null | undefined): boolean => me != null && me.role !== "agent";

/** Whether the newest post is always on top, so that new posts can be counted. */
function isChronological({ sort, saved, cursor }: FeedFilters): boolean {
  return sort === undefined && saved === undefined && cursor === undefined;
}

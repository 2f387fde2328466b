import { useMe } from "../../data/me.ts";
import { type FeedFilters, feedQuery, filtersFrom } from "../../data/posts.ts";
import { initialFilters, useAppliedFilters } from "../../data/preferences.ts";
import { useText } from "../../i18n/use-text.tsx";
import { PostList } from "../../posts/post-list.tsx";
import { useSearch } from "../../router/provider.tsx";
import { page } from "../../shared/page.ts";
import { WithAside } from "../../ui/aside.tsx";
import { EmptyFeed } from "./empty-feed.tsx";
import { feedName } from "./feed-name.ts";
import { FeedTitle } from "./feed-title.tsx";
import { NewPostsNotice, Sidebar } from "./sidebar.tsx";
import { FeedTabs } from "./tabs.tsx";
import { Welcome } from "./welcome.tsx";

export const Feed = page({
  load: ({ api, queryClient, search }) =>
    queryClient.ensureInfiniteQueryData(
      feedQuery(api, initialFilters(queryClient, api, filtersFrom(search))),
    ),
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
  const isUnfiltered = Object.keys(urlFilters).length === 0;
  return (
    <WithAside aside={<Sidebar filters={filters} />}>
      <div className="sm:pt-4">
        {isUnfiltered && !me && <Welcome />}
        <FeedTitle filters={urlFilters} />
        <FeedTabs filters={urlFilters} />
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

/** Whether the newest post is always on top, so that new posts can be counted. */
function isChronological({ sort, saved, cursor }: FeedFilters): boolean {
  return sort === undefined && saved === undefined && cursor === undefined;
}

import { useQuery } from "@tanstack/react-query";
import { trendingTagsQuery } from "../../data/completions.ts";
import { creatorSearchQuery } from "../../data/creators.ts";
import { followedTagsQuery, tagIn } from "../../data/followed-topics.ts";
import { meQuery, useMe } from "../../data/me.ts";
import { type FeedFilters, feedQuery, filtersFrom } from "../../data/posts.ts";
import { initialFilters, useAppliedFilters } from "../../data/preferences.ts";
import { savedSearchesQuery } from "../../data/saved-searches.ts";
import { useText } from "../../i18n/use-text.tsx";
import { PostList } from "../../posts/post-list.tsx";
import { TrendingTags } from "../../posts/trending-tags.tsx";
import { useSearch } from "../../router/provider.tsx";
import { useApi } from "../../shared/context.ts";
import { page } from "../../shared/page.ts";
import { asideColumns } from "../../ui/aside.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { discoverPages } from "../../ui/discover-pages.ts";
import { MenuGroup } from "../../ui/menu-group.tsx";
import { EmptyState, PageTitle } from "../../ui/states.tsx";
import { MatchingCreators } from "./creators.tsx";
import { SearchForm } from "./form.tsx";
import { SavedSearches } from "./saved-searches.tsx";
import { SearchActions } from "./search-actions.tsx";
import { SimilarResults } from "./similar-results.tsx";

/** Whether there is anything to search for. */
const hasCriteria = ({ sort: _sort, cursor: _cursor, ...rest }: FeedFilters) => Object.keys(rest).length > 0;

export const Search = page({
  load: ({ api, queryClient, search }) => {
    const filters = filtersFrom(search);
    const isMember = queryClient.getQueryData(meQuery(api).queryKey) != null;
    return Promise.all([
      isMember && queryClient.prefetchQuery(savedSearchesQuery(api)),
      isMember && tagIn(filters.q) !== null && queryClient.prefetchQuery(followedTagsQuery(api)),
      hasCriteria(filters)
        ? queryClient.ensureInfiniteQueryData(feedQuery(api, initialFilters(queryClient, api, filters)))
        : queryClient.prefetchQuery(trendingTagsQuery(api)),
      filters.q && queryClient.ensureQueryData(creatorSearchQuery(api, filters.q)),
    ]);
  },
  head: ({ i18n, search }) => ({
    title: search.q ? i18n._("search.resultsTitle", { words: search.q }) : i18n._("nav.search"),
    description: i18n._("search.description"),
    ...(search.cursor === undefined && { canonical: "/search" }),
    unlisted: Object.keys(search).length > 0,
  }),
  View: SearchView,
});

function SearchView() {
  const { t } = useText();
  const urlFilters = filtersFrom(useSearch());
  return (
    <div className={`${asideColumns} wide:grid-rows-[auto_auto_1fr]`}>
      <PageTitle>{t("nav.search")}</PageTitle>
      <SearchForm filters={urlFilters} />
      <div className="min-w-0">
        {hasCriteria(urlFilters) ? <SearchResults filters={urlFilters} /> : <SearchStart />}
      </div>
    </div>
  );
}

/** Where there is nothing to search for yet. */
function SearchStart() {
  const { t } = useText();
  const tags = useQuery(trendingTagsQuery(useApi())).data ?? [];
  return (
    <>
      {/* Wider screens have them in the navigation. */}
      <div className="mt-4 rail:hidden">
        <MenuGroup title={t("search.discover")} links={discoverPages} />
      </div>
      {useMe() && <SavedSearches />}
      {tags.length > 0 && (
        <section className="mt-6 px-4 sm:px-0">
          <h2 className="mb-3 font-semibold">{t("common.trendingTags")}</h2>
          <TrendingTags tags={tags} />
        </section>
      )}
      <EmptyState title={t("search.start")} drawing="search">
        {t("search.startDescription")}
      </EmptyState>
    </>
  );
}

function SearchResults({ filters }: { filters: FeedFilters }) {
  const { t } = useText();
  const appliedFilters = useAppliedFilters(filters);
  return (
    <>
      <SearchActions filters={filters} />
      {filters.q && <MatchingCreators q={filters.q} />}
      <PostList
        key={JSON.stringify(appliedFilters)}
        filters={appliedFilters}
        label={t("search.posts")}
        empty={
          <EmptyState
            title={t("search.noResults")}
            drawing="search"
            action={<ButtonLink to="/search">{t("search.reset")}</ButtonLink>}
          >
            {t("search.noResultsDescription")}
          </EmptyState>
        }
      />
      {filters.q && <SimilarResults filters={{ ...appliedFilters, q: filters.q }} />}
    </>
  );
}

import { useInfiniteQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useApi } from "../../data/context.ts";
import { useMe } from "../../data/me.ts";
import { type FeedFilters, feedQuery, postsOf } from "../../data/posts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { type AddressValues, page } from "../../page.ts";
import { PostCard } from "../../posts/post-card.tsx";
import { Link } from "../../ui/link.tsx";
import { MoreBelow } from "../../ui/more-below.tsx";
import { Empty, SkeletonCards } from "../../ui/states.tsx";

/** What the address says is what the API is asked: one set of names for both. */
const filtersOf = (search: AddressValues) => search as FeedFilters;

export const Feed = page({
  load: ({ api, data, search }) => data.ensureInfiniteQueryData(feedQuery(api, filtersOf(search))),
  head: ({ i18n, search, baseUrl }) => ({
    title: "Tandem",
    description: i18n._("feed.description"),
    canonical: "/",
    unlisted: Object.keys(search).length > 0,
    data: { "@context": "https://schema.org", "@type": "WebSite", name: "Tandem", url: `${baseUrl}/` },
  }),
  View: FeedView,
});

function FeedView() {
  const { t } = useText();
  const filters = filtersOf(useSearch({ strict: false }));
  const feed = useInfiniteQuery(feedQuery(useApi(), filters));
  const posts = feed.data ? postsOf(feed.data) : [];
  return (
    <div className="mx-auto max-w-2xl sm:pt-4">
      <h1 className="sr-only">{t("nav.feed")}</h1>
      <FeedTabs filters={filters} />
      {feed.isPending ? (
        <SkeletonCards />
      ) : posts.length === 0 && !feed.hasNextPage ? (
        <Empty title={t("feed.empty")}>{t("feed.emptySays")}</Empty>
      ) : (
        <div role="feed" aria-busy={feed.isFetching} className="flex flex-col gap-2 sm:gap-4">
          {posts.map((post) => (
            <PostCard key={post.id} post={post} />
          ))}
        </div>
      )}
      <MoreBelow list={feed} />
    </div>
  );
}

function FeedTabs({ filters }: { filters: FeedFilters }) {
  const { t } = useText();
  const me = useMe();
  const tabs: {
    says: "feed.new" | "feed.hot" | "feed.following" | "feed.saved";
    search: Record<string, string | undefined>;
    on: boolean;
  }[] = [
    { says: "feed.new", search: {}, on: !filters.sort && !filters.followed && !filters.saved },
    { says: "feed.hot", search: { sort: "hot" }, on: filters.sort === "hot" },
    ...(me
      ? ([
          { says: "feed.following", search: { followed: "1" }, on: filters.followed !== undefined },
          { says: "feed.saved", search: { saved: "1" }, on: filters.saved !== undefined },
        ] as const)
      : []),
  ];
  return (
    <nav aria-label={t("feed.which")} className="mb-3 flex gap-1 overflow-x-auto px-4 pt-3 sm:px-0 sm:pt-0">
      {tabs.map(({ says, search, on }) => (
        <Link
          key={says}
          to="/"
          search={search}
          aria-current={on ? "page" : undefined}
          className="rounded-full px-4 py-1.5 font-semibold whitespace-nowrap text-soft hover:bg-sunken aria-[current=page]:bg-ink aria-[current=page]:text-ground"
        >
          {t(says)}
        </Link>
      ))}
    </nav>
  );
}

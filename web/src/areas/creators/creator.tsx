import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { type CreatorRef, creatorQuery } from "../../data/creators.ts";
import { type FeedFilters, filtersFrom as feedFiltersOf, feedQuery } from "../../data/posts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { PostList } from "../../posts/post-list.tsx";
import { creatorAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { type AddressValues, page } from "../../shared/page.ts";
import { Link } from "../../ui/link.tsx";
import { Empty, SkeletonCards } from "../../ui/states.tsx";
import { Head } from "./creator-header.tsx";
import { whomOf } from "./creator-params.ts";
import { profileOf } from "./structured-data.ts";

const filtersOf = (whom: CreatorRef, { media, cursor }: AddressValues): FeedFilters => ({
  ...feedFiltersOf({ cursor, media: media === "video" ? media : undefined }),
  platform: whom.platform,
  author: whom.author,
});

export const Creator = page({
  load: async ({ api, queryClient, params, search }) => {
    const whom = whomOf(params);
    await Promise.all([
      queryClient.ensureQueryData(creatorQuery(api, whom)),
      queryClient.ensureInfiniteQueryData(feedQuery(api, filtersOf(whom, search))),
    ]);
  },
  head: ({ api, queryClient, params, search, i18n, baseUrl }) => {
    const whom = whomOf(params);
    const creator = queryClient.getQueryData(creatorQuery(api, whom).queryKey);
    if (!creator) return { title: whom.author };
    return {
      title: creator.displayName ?? creator.author,
      description:
        creator.bio ?? i18n._("creators.description", { author: creator.author, count: creator.postCount }),
      ...(search.cursor === undefined && { canonical: creatorAddress(creator) }),
      image: creator.avatarUrl,
      kind: "profile" as const,
      data: profileOf(creator, baseUrl),
      unlisted: search.media !== undefined || search.cursor !== undefined,
    };
  },
  View: CreatorView,
});

function CreatorView() {
  const whom = whomOf(useParams({ strict: false }));
  const search: AddressValues = useSearch({ strict: false });
  const { data: creator } = useQuery(creatorQuery(useApi(), whom));
  if (!creator) return <SkeletonCards count={2} />;
  return (
    <div className="column sm:pt-4">
      <Head creator={creator} />
      <Tabs whom={whom} media={search.media} />
      <Posts whom={whom} search={search} />
    </div>
  );
}

function Tabs({ whom, media }: { whom: CreatorRef; media: string | undefined }) {
  const { t } = useText();
  const tabs = [
    { says: "creators.all", search: {}, on: media !== "video" },
    { says: "creators.videos", search: { media: "video" }, on: media === "video" },
  ] as const;
  return (
    <nav aria-label={t("creators.which")} className="flex gap-1 px-4 py-3 sm:px-0">
      {tabs.map(({ says, search, on }) => (
        <Link
          key={says}
          to={creatorAddress(whom)}
          search={search}
          replace
          aria-current={on ? "page" : undefined}
          className="inline-flex min-h-10 items-center rounded-full px-4 font-semibold whitespace-nowrap text-soft hover:bg-sunken aria-[current=page]:bg-ink aria-[current=page]:text-ground"
        >
          {t(says)}
        </Link>
      ))}
    </nav>
  );
}

function Posts({ whom, search }: { whom: CreatorRef; search: AddressValues }) {
  const { t } = useText();
  const filters = filtersOf(whom, search);
  const videos = filters.media === "video";
  return (
    <PostList
      key={JSON.stringify(filters)}
      filters={filters}
      label={t("creators.theirPosts")}
      empty={
        <Empty title={t(videos ? "creators.noVideos" : "creators.noPosts")}>
          {t("creators.noPostsSays")}
        </Empty>
      }
    />
  );
}

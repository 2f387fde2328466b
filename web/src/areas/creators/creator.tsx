import { useQuery } from "@tanstack/react-query";
import { type CreatorRef, creatorQuery } from "../../data/creators.ts";
import { type FeedFilters, feedQuery, filtersFrom } from "../../data/posts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { PostList } from "../../posts/post-list.tsx";
import { useParams, useSearch } from "../../router/provider.tsx";
import { creatorAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { type AddressValues, page } from "../../shared/page.ts";
import { WithAside } from "../../ui/aside.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { EmptyState, SkeletonCards } from "../../ui/states.tsx";
import { TabLink, TabLinks } from "../../ui/tab-link.tsx";
import { CreatorHeader } from "./creator-header.tsx";
import { creatorFromParams } from "./creator-params.ts";
import { profileStructuredData } from "./structured-data.ts";

const SimilarCreators = lazyComponent(() => import("./similar-creators.tsx"));

const postFilters = (creatorRef: CreatorRef, { media, cursor }: AddressValues): FeedFilters => ({
  ...filtersFrom({ cursor, media: media === "video" ? media : undefined }),
  platform: creatorRef.platform,
  author: creatorRef.author,
});

export const Creator = page({
  load: async ({ api, queryClient, params, search }) => {
    const creatorRef = creatorFromParams(params);
    await Promise.all([
      queryClient.ensureQueryData(creatorQuery(api, creatorRef)),
      queryClient.ensureInfiniteQueryData(feedQuery(api, postFilters(creatorRef, search))),
    ]);
  },
  head: ({ api, queryClient, params, search, i18n, baseUrl }) => {
    const creatorRef = creatorFromParams(params);
    const creator = queryClient.getQueryData(creatorQuery(api, creatorRef).queryKey);
    if (!creator) return { title: creatorRef.author };
    return {
      title: creator.displayName ?? creator.author,
      description:
        creator.bio ?? i18n._("creators.description", { author: creator.author, count: creator.postCount }),
      ...(search.cursor === undefined && { canonical: creatorAddress(creator) }),
      image: creator.avatarUrl,
      kind: "profile" as const,
      data: profileStructuredData(creator, baseUrl),
      unlisted: search.media !== undefined || search.cursor !== undefined,
    };
  },
  View: CreatorView,
});

function CreatorView() {
  const creatorRef = creatorFromParams(useParams());
  const search = useSearch();
  const { data: creator } = useQuery(creatorQuery(useApi(), creatorRef));
  if (!creator) return <SkeletonCards count={2} />;
  return (
    <WithAside
      key={creatorAddress(creator)}
      aside={<SimilarCreators creator={creator} filters={postFilters(creatorRef, search)} />}
    >
      <div className="min-w-0 sm:pt-4">
        <CreatorHeader creator={creator} />
        <MediaTabs creatorRef={creatorRef} media={search.media} />
        <CreatorPosts creatorRef={creatorRef} search={search} />
      </div>
    </WithAside>
  );
}

function MediaTabs({ creatorRef, media }: { creatorRef: CreatorRef; media: string | undefined }) {
  const { t } = useText();
  const tabs = [
    { label: "creators.all", search: {}, on: media !== "video" },
    { label: "creators.videos", search: { media: "video" }, on: media === "video" },
  ] as const;
  return (
    <TabLinks label={t("creators.filter")} className="py-3">
      {tabs.map(({ label, search, on: isActive }) => (
        <TabLink
          key={label}
          to={creatorAddress(creatorRef)}
          search={search}
          replace
          aria-current={isActive ? "page" : undefined}
        >
          {t(label)}
        </TabLink>
      ))}
    </TabLinks>
  );
}

function CreatorPosts({ creatorRef, search }: { creatorRef: CreatorRef; search: AddressValues }) {
  const { t } = useText();
  const filters = postFilters(creatorRef, search);
  const isVideos = filters.media === "video";
  return (
    <PostList
      key={JSON.stringify(filters)}
      filters={filters}
      label={t("creators.theirPosts")}
      empty={
        <EmptyState title={t(isVideos ? "creators.noVideos" : "creators.noPosts")}>
          {t("creators.noPostsDescription")}
        </EmptyState>
      }
    />
  );
}

import { plainBio } from "@tandem/contract/markdown/plain";
import type { Creator as CreatorResource, User } from "@tandem/contract/resources";
import { useQuery } from "@tanstack/react-query";
import { type CreatorRef, creatorCommentsQuery, profileQuery } from "../../data/creators.ts";
import { useMe } from "../../data/me.ts";
import { type FeedFilters, feedQuery, filtersFrom, postQuery } from "../../data/posts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { PostList } from "../../posts/post-list.tsx";
import { useParams, useSearch } from "../../router/provider.tsx";
import { creatorAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { fullNameOf } from "../../shared/full-name.ts";
import { type AddressValues, page } from "../../shared/page.ts";
import { previewText } from "../../shared/preview-text.ts";
import { WithAside } from "../../ui/aside.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { EmptyState, SkeletonCards } from "../../ui/states.tsx";
import { TabLink, TabLinks } from "../../ui/tab-link.tsx";
import { CreatorComments } from "./creator-comments.tsx";
import { CreatorHeader } from "./creator-header.tsx";
import { creatorFromParams } from "./creator-params.ts";
import { PinnedPost } from "./pinned-post.tsx";
import { profileStructuredData } from "./structured-data.ts";

const SimilarCreators = lazyComponent(() => import("./similar-creators.tsx"));

const postFilters = (creatorRef: CreatorRef, { media, tab, cursor }: AddressValues): FeedFilters => ({
  ...filtersFrom({ cursor, media: media === "video" ? media : undefined }),
  ...(tab === "imported" && { imported: 1 }),
  platform: creatorRef.platform,
  author: creatorRef.author,
});

const repostFilters = ({ platform, author }: CreatorRef, { cursor }: AddressValues): FeedFilters => ({
  ...filtersFrom({ cursor }),
  reposter: { platform, author },
});

const tabs = ["posts", "reposts", "videos", "imported", "comments", "likes"] as const;
type Tab = (typeof tabs)[number];

const tabOf = ({ tab, media }: AddressValues): Tab =>
  tab === "reposts" || tab === "imported" || tab === "comments" || tab === "likes"
    ? tab
    : media === "video"
      ? "videos"
      : "posts";

const searchOf: Record<Tab, AddressValues> = {
  posts: {},
  reposts: { tab: "reposts" },
  videos: { media: "video" },
  imported: { tab: "imported" },
  comments: { tab: "comments" },
  likes: { tab: "likes" },
};

export const Creator = page({
  load: async ({ api, queryClient, params, search }) => {
    const creatorRef = creatorFromParams(params);
    const tab = tabOf(search);
    const [{ pinnedPostId }] = await Promise.all([
      queryClient.ensureQueryData(profileQuery(api, creatorRef)),
      tab === "comments"
        ? queryClient.ensureInfiniteQueryData(creatorCommentsQuery(api, creatorRef))
        : tab !== "likes" &&
          queryClient.ensureInfiniteQueryData(
            feedQuery(
              api,
              tab === "reposts" ? repostFilters(creatorRef, search) : postFilters(creatorRef, search),
            ),
          ),
    ]);
    // It may have been deleted meanwhile.
    if (tab === "posts" && pinnedPostId !== null)
      await queryClient.prefetchQuery(postQuery(api, pinnedPostId));
  },
  head: ({ api, queryClient, params, search, i18n, baseUrl }) => {
    const creatorRef = creatorFromParams(params);
    const creator = queryClient.getQueryData(profileQuery(api, creatorRef).queryKey);
    if (!creator) return { title: creatorRef.author };
    const { bio, author, authorIsAgent, postCount, aiGeneratedFields } = creator;
    const isAi = aiGeneratedFields.includes("displayName") || aiGeneratedFields.includes("bio");
    const label = authorIsAgent ? "common.agent" : isAi ? "provenance.ai_generated" : null;
    return {
      title: fullNameOf(creator),
      description: previewText(
        label && i18n._(label),
        (bio && plainBio(bio)) ?? i18n._("creators.description", { author, count: postCount }),
      ),
      ...(search.cursor === undefined && { canonical: creatorAddress(creator) }),
      image: creator.avatarUrl,
      kind: "profile" as const,
      data: profileStructuredData(creator, baseUrl),
      unlisted: Object.keys(search).length > 0,
    };
  },
  View: CreatorView,
});

function CreatorView() {
  const { t } = useText();
  const creatorRef = creatorFromParams(useParams());
  const search = useSearch();
  const { data: creator } = useQuery(profileQuery(useApi(), creatorRef));
  if (!creator) return <SkeletonCards count={2} />;
  return (
    <WithAside
      key={creatorAddress(creator)}
      aside={<SimilarCreators creator={creator} filters={postFilters(creatorRef, search)} />}
    >
      <div className="min-w-0 sm:pt-4">
        <CreatorHeader creator={creator} />
        {creator.relationship?.blocked ? (
          <EmptyState drawing="lock" title={t("creators.blockedPosts")}>
            {t("creators.blockedPostsDescription")}
          </EmptyState>
        ) : (
          <>
            <Tabs creator={creator} active={tabOf(search)} />
            <TabContent creator={creator} search={search} />
          </>
        )}
      </div>
    </WithAside>
  );
}

/** Only you can see what you liked. */
const isOwnProfile = ({ platform, author }: CreatorRef, me: User | null) =>
  platform === "native" && me?.username.toLowerCase() === author.toLowerCase();

function Tabs({ creator, active }: { creator: CreatorResource; active: Tab }) {
  const { t } = useText();
  const me = useMe();
  const shown = tabs.filter(
    (tab) =>
      ((tab !== "comments" && tab !== "reposts") || creator.platform === "native") &&
      (tab !== "imported" || creator.hasImportedPosts) &&
      (tab !== "likes" || isOwnProfile(creator, me)),
  );
  return (
    <TabLinks label={t("creators.tabs")} className="my-3">
      {shown.map((tab) => (
        <TabLink
          key={tab}
          to={creatorAddress(creator)}
          search={searchOf[tab]}
          replace
          aria-current={tab === active ? "page" : undefined}
        >
          {t(`creators.tab.${tab}`)}
        </TabLink>
      ))}
    </TabLinks>
  );
}

function TabContent({ creator, search }: { creator: CreatorResource; search: AddressValues }) {
  const { t } = useText();
  const me = useMe();
  const tab = tabOf(search);
  const { platform, author, pinnedPostId } = creator;
  const creatorRef = { platform, author };
  if (tab === "comments") return <CreatorComments creatorRef={creatorRef} />;
  if (tab === "reposts") {
    const filters = repostFilters(creatorRef, search);
    return (
      <PostList
        key={JSON.stringify(filters)}
        filters={filters}
        label={t("creators.tab.reposts")}
        empty={<EmptyState drawing="draft" title={t("creators.noReposts")} />}
      />
    );
  }
  if (tab === "likes" && isOwnProfile(creator, me))
    return (
      <PostList
        key="likes"
        filters={{ liked: 1 }}
        label={t("creators.tab.likes")}
        empty={
          <EmptyState drawing="liked" title={t("creators.noLikes")}>
            {t("creators.noLikesDescription")}
          </EmptyState>
        }
      />
    );
  return (
    <>
      {tab === "posts" && search.cursor === undefined && pinnedPostId !== null && (
        <PinnedPost id={pinnedPostId} />
      )}
      <CreatorPosts creator={creator} search={search} />
    </>
  );
}

function CreatorPosts({ creator, search }: { creator: CreatorResource; search: AddressValues }) {
  const { t } = useText();
  const me = useMe();
  const { platform, author, postCount } = creator;
  const filters = postFilters({ platform, author }, search);
  const isVideos = filters.media === "video";
  const isImported = filters.imported === 1;
  // There are posts, but none for this reader, for example because the creator blocks them.
  const hasHidden = postCount > 0 && !isVideos && !isImported && !isOwnProfile(creator, me);
  return (
    <PostList
      key={JSON.stringify(filters)}
      filters={filters}
      label={t("creators.theirPosts")}
      empty={
        hasHidden ? (
          <EmptyState drawing="draft" title={t("creators.noPostsShown")} />
        ) : (
          <EmptyState
            drawing={isVideos ? "video" : "draft"}
            title={t(
              isVideos ? "creators.noVideos" : isImported ? "creators.noImported" : "creators.noPosts",
            )}
          >
            {t("creators.noPostsDescription")}
          </EmptyState>
        )
      }
    />
  );
}

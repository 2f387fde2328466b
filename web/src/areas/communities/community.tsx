import type { CommunityMember, Community as Shown } from "@tandem/contract/communities";
import { plainText } from "@tandem/contract/markdown/plain";
import { useQuery } from "@tanstack/react-query";
import { Flag } from "lucide-react";
import { useState } from "react";
import { communityQuery, isMember, isStaff, mayEdit } from "../../data/communities.ts";
import { followedCommunitiesQuery } from "../../data/followed-topics.ts";
import { meQuery, useMe } from "../../data/me.ts";
import { type FeedFilters, feedQuery, postQuery } from "../../data/posts.ts";
import { useText } from "../../i18n/use-text.tsx";
import FollowTopicButton from "../../posts/follow-topic-button.tsx";
import { MarkdownText } from "../../posts/markdown-text.tsx";
import { PostList } from "../../posts/post-list.tsx";
import { excerpt } from "../../posts/post-name.ts";
import { useNavigate, useParams, useSearch } from "../../router/provider.tsx";
import { communityAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { type AddressValues, page } from "../../shared/page.ts";
import { WithAside } from "../../ui/aside.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { CommunityPicture } from "../../ui/community-picture.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { Link } from "../../ui/link.tsx";
import { EmptyState, SkeletonCards } from "../../ui/states.tsx";
import { TabLink, TabLinks } from "../../ui/tab-link.tsx";
import { AboutCommunity, Moderators } from "./about-community.tsx";
import { CommunityAside } from "./community-aside.tsx";
import { JoinButton } from "./join-button.tsx";
import { PinnedPosts } from "./pinned-posts.tsx";

function filtersOf(name: string, { sort, cursor }: AddressValues): FeedFilters {
  const at = Number(cursor);
  return {
    community: name.toLowerCase(),
    platform: "native",
    ...(sort === "hot" && { sort: "hot" as const }),
    ...(Number.isSafeInteger(at) && at > 0 && { cursor: at }),
  };
}

export const Community = page({
  load: async ({ api, queryClient, params: { name = "" }, search }) => {
    const filters = filtersOf(name, search);
    const [{ pinnedPostIds }] = await Promise.all([
      queryClient.ensureQueryData(communityQuery(api, name)),
      queryClient.ensureInfiniteQueryData(feedQuery(api, filters)),
      queryClient.getQueryData(meQuery(api).queryKey) != null &&
        queryClient.prefetchQuery(followedCommunitiesQuery(api)),
    ]);
    if (filters.cursor === undefined)
      await Promise.all(pinnedPostIds.map((id) => queryClient.prefetchQuery(postQuery(api, id))));
  },
  head: ({ api, queryClient, i18n, params: { name = "" }, search }) => {
    const description = queryClient.getQueryData(communityQuery(api, name).queryKey)?.community.description;
    return {
      title: name,
      description: description ? excerpt(plainText(description), 200) : i18n._("communities.about", { name }),
      canonical: communityAddress(name),
      unlisted: Object.keys(search).length > 0,
    };
  },
  View: CommunityView,
});

function CommunityView() {
  const { name = "" } = useParams();
  const { data } = useQuery(communityQuery(useApi(), name));
  if (!data) return <SkeletonCards />;
  return <Loaded {...data} />;
}

function Loaded({
  community,
  moderators,
  pinnedPostIds,
}: {
  community: Shown;
  moderators: CommunityMember[];
  pinnedPostIds: number[];
}) {
  const { t } = useText();
  const search = useSearch();
  const { name } = community;
  const filters = filtersOf(name, search);
  const to = communityAddress(name);
  return (
    <WithAside aside={<CommunityAside community={community} moderators={moderators} />}>
      <div>
        <Header community={community} moderators={moderators} />
        {filters.cursor === undefined && <PinnedPosts ids={pinnedPostIds} />}
        <div className="pb-3">
          <TabLinks label={t("communities.order")}>
            <TabLink to={to} aria-current={filters.sort ? undefined : "page"}>
              {t("communities.newest")}
            </TabLink>
            <TabLink to={to} search={{ sort: "hot" }} aria-current={filters.sort ? "page" : undefined}>
              {t("communities.hot")}
            </TabLink>
          </TabLinks>
        </div>
        <PostList
          key={JSON.stringify(filters)}
          filters={filters}
          label={name}
          empty={
            <EmptyState title={t("communities.noPosts")}>
              {!community.closed && t("communities.noPostsDescription")}
            </EmptyState>
          }
        />
      </div>
    </WithAside>
  );
}

function Header({ community, moderators }: { community: Shown; moderators: CommunityMember[] }) {
  const { t } = useText();
  const me = useMe();
  const { name, description, memberCount, closed, role } = community;
  return (
    <header className="flex flex-col gap-3 px-4 pt-4 pb-3 sm:px-0">
      <div className="flex items-center gap-4">
        <CommunityPicture community={community} size="size-16" />
        <div className="min-w-0">
          <h1 className="theirs-heading text-2xl font-bold">{name}</h1>
          {memberCount !== null && (
            <p className="text-sm text-soft">{t("communities.members", { count: memberCount })}</p>
          )}
        </div>
      </div>
      {description && <MarkdownText text={description} highest={2} />}
      {closed && (
        <p role="note" className="font-semibold">
          {t("communities.closed")}
        </p>
      )}
      {role === "banned" && (
        <p role="note" className="font-semibold">
          {t("communities.youAreBanned")}{" "}
          <Link to="/standing" className="underline">
            {t("communities.whyBanned")}
          </Link>
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {!closed && isMember(community) && (
          <ButtonLink to="/compose" search={{ community: name }} variant="primary">
            {t("communities.post")}
          </ButtonLink>
        )}
        <JoinButton community={community} />
        {me && (
          <FollowTopicButton
            topic={{ platform: "native", community: name }}
            texts={{ follow: "communities.follow", following: "communities.following" }}
          />
        )}
        {isStaff(community) && me?.role !== "agent" && (
          <>
            <ButtonLink to={`${communityAddress(name)}/moderation`}>{t("communities.moderation")}</ButtonLink>
            <ButtonLink to={`${communityAddress(name)}/members`}>{t("communities.manageMembers")}</ButtonLink>
          </>
        )}
        {mayEdit(community, me) && (
          <ButtonLink to={`${communityAddress(name)}/edit`}>{t("communities.edit")}</ButtonLink>
        )}
        {me?.role !== "agent" && role !== "owner" && <ReportButton name={name} />}
      </div>
      <details className="wide:hidden">
        <summary className="min-h-11 cursor-pointer py-2 font-semibold">
          {t("communities.aboutTitle")}
        </summary>
        <AboutCommunity community={community} />
        <h2 className="pt-3 text-sm font-semibold text-soft">{t("communities.moderators")}</h2>
        <Moderators moderators={moderators} />
      </details>
    </header>
  );
}

const ReportDialog = lazyComponent(async () => ({
  default: (await import("../../posts/report-dialog.tsx")).ReportDialog,
}));

function ReportButton({ name }: { name: string }) {
  const { t } = useText();
  const me = useMe();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const open = () =>
    me ? setOpen(true) : void navigate({ to: "/login", search: { next: communityAddress(name) } });
  return (
    <>
      <Button variant="quiet" onClick={open}>
        <Flag className="size-4" aria-hidden="true" />
        {t("communities.report")}
      </Button>
      {isOpen && <ReportDialog target={{ community: name }} onClose={() => setOpen(false)} />}
    </>
  );
}

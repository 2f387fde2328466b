import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { type CreatorRef, changeFollowing, followsQuery, removeFollow } from "../../data/creators.ts";
import { followedCommunitiesQuery, followedTagsQuery } from "../../data/followed-topics.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { addTexts } from "../../i18n/texts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { page } from "../../shared/page.ts";
import { WithAside } from "../../ui/aside.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { PeopleAside } from "../../ui/people-aside.tsx";
import { CardList } from "../../ui/person-row.tsx";
import { EmptyState, PageTitle, SkeletonCards } from "../../ui/states.tsx";
import { CreatorRow } from "./creator-row.tsx";
import { FollowedTopics } from "./followed-topics.tsx";

export const Following = page({
  load: ({ api, i18n, queryClient }) =>
    Promise.all([
      // Of the aside.
      addTexts(i18n, "people"),
      queryClient.ensureInfiniteQueryData(followsQuery(api)),
      queryClient.ensureQueryData(followedTagsQuery(api)),
      queryClient.ensureQueryData(followedCommunitiesQuery(api)),
    ]),
  head: ({ i18n }) => ({ title: i18n._("creators.followingTitle"), unlisted: true }),
  View: FollowingView,
});

function FollowingView() {
  const { t } = useText();
  const api = useApi();
  const list = useInfiniteQuery(followsQuery(api));
  const { data: tags = [] } = useQuery(followedTagsQuery(api));
  const { data: communities = [] } = useQuery(followedCommunitiesQuery(api));
  const hasTopics = tags.length + communities.length > 0;
  const follows = list.data?.pages.flatMap((page) => page.follows) ?? [];
  return (
    <WithAside aside={<PeopleAside current="/following" />}>
      <div>
        <PageTitle
          description={t("creators.followingDescription")}
          actions={
            <>
              <ButtonLink to="/" search={{ followed: "1" }}>
                {t("creators.theirPosts")}
              </ButtonLink>
              <ButtonLink to="/lists">{t("creators.lists")}</ButtonLink>
            </>
          }
        >
          {t("creators.followingTitle")}
        </PageTitle>
        <FollowedTopics tags={tags} communities={communities} />
        {hasTopics && follows.length > 0 && (
          <h2 className="mb-2 px-4 font-semibold sm:px-0">{t("creators.title")}</h2>
        )}
        {list.isPending ? (
          <SkeletonCards count={2} />
        ) : follows.length === 0 ? (
          hasTopics ? null : (
            <EmptyState
              drawing="people"
              title={t("creators.followingNone")}
              action={
                <ButtonLink to="/creators" variant="primary">
                  {t("creators.find")}
                </ButtonLink>
              }
            >
              {t("creators.followingNoneDescription")}
            </EmptyState>
          )
        ) : (
          <CardList label={t("creators.followingTitle")}>
            {follows.map((creator) => (
              <CreatorRow key={`${creator.platform}/${creator.author}`} creator={creator}>
                {(name) => <UnfollowButton creator={creator} name={name} />}
              </CreatorRow>
            ))}
          </CardList>
        )}
        <LoadMore list={list} />
      </div>
    </WithAside>
  );
}

function UnfollowButton({ creator, name }: { creator: CreatorRef; name: string }) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const { platform, author } = creator;
  const refollow = useAction((api) => api.follow({ platform, author }), {
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["creators", "follows"] }),
  });
  const unfollow = useAction((api) => api.unfollow({ platform, author }), {
    onSuccess: () => {
      changeFollowing(queryClient, creator, false);
      removeFollow(queryClient, creator);
      show(t("creators.unfollowed", { author: name }), () => refollow.mutate());
    },
  });
  return (
    <Button
      onClick={() => unfollow.mutate()}
      busy={unfollow.isPending}
      aria-label={t("creators.unfollowNamed", { author: name })}
    >
      {t("creators.unfollow")}
    </Button>
  );
}

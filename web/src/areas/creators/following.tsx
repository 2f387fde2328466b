import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { type CreatorRef, changeFollowing, followsQuery, removeFollow } from "../../data/creators.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { page } from "../../shared/page.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { CardList } from "../../ui/person-row.tsx";
import { EmptyState, PageTitle, SkeletonCards } from "../../ui/states.tsx";
import { CreatorRow } from "./creator-row.tsx";

export const Following = page({
  load: ({ api, queryClient }) => queryClient.ensureInfiniteQueryData(followsQuery(api)),
  head: ({ i18n }) => ({ title: i18n._("creators.followingTitle"), unlisted: true }),
  View: FollowingView,
});

function FollowingView() {
  const { t } = useText();
  const list = useInfiniteQuery(followsQuery(useApi()));
  const follows = list.data?.pages.flatMap((page) => page.follows) ?? [];
  return (
    <div className="column">
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
      {list.isPending ? (
        <SkeletonCards count={2} />
      ) : follows.length === 0 ? (
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
      ) : (
        <CardList label={t("creators.followingTitle")}>
          {follows.map((creator) => (
            <CreatorRow key={`${creator.platform}/${creator.author}`} creator={creator}>
              <UnfollowButton creator={creator} />
            </CreatorRow>
          ))}
        </CardList>
      )}
      <LoadMore list={list} />
    </div>
  );
}

function UnfollowButton({ creator }: { creator: CreatorRef }) {
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
      show(t("creators.unfollowed", { author }), () => refollow.mutate());
    },
  });
  return (
    <Button
      onClick={() => unfollow.mutate()}
      busy={unfollow.isPending}
      aria-label={t("creators.unfollowNamed", { author })}
    >
      {t("creators.unfollow")}
    </Button>
  );
}

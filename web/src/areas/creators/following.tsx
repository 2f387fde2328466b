import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { type CreatorRef, changeFollowing, followsQuery, removeFollow } from "../../data/creators.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { page } from "../../shared/page.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { MoreBelow } from "../../ui/load-more.tsx";
import { Lines } from "../../ui/person-row.tsx";
import { Empty, PageTitle, SkeletonCards } from "../../ui/states.tsx";
import { CreatorLine } from "./creator-row.tsx";

export const Following = page({
  load: ({ api, queryClient }) => queryClient.ensureInfiniteQueryData(followsQuery(api)),
  head: ({ i18n }) => ({ title: i18n._("creators.followingTitle"), unlisted: true }),
  View: FollowingView,
});

function FollowingView() {
  const { t } = useText();
  const list = useInfiniteQuery(followsQuery(useApi()));
  const follows = list.data?.pages.flatMap((one) => one.follows) ?? [];
  return (
    <div className="column">
      <PageTitle
        says={t("creators.followingSays")}
        actions={
          <ButtonLink to="/" search={{ followed: "1" }}>
            {t("creators.theirPosts")}
          </ButtonLink>
        }
      >
        {t("creators.followingTitle")}
      </PageTitle>
      {list.isPending ? (
        <SkeletonCards count={2} />
      ) : follows.length === 0 ? (
        <Empty
          title={t("creators.followingNobody")}
          action={
            <ButtonLink to="/creators" look="primary">
              {t("creators.find")}
            </ButtonLink>
          }
        >
          {t("creators.followingNobodySays")}
        </Empty>
      ) : (
        <Lines label={t("creators.followingTitle")}>
          {follows.map((whom) => (
            <CreatorLine key={`${whom.platform}/${whom.author}`} whom={whom}>
              <Unfollow whom={whom} />
            </CreatorLine>
          ))}
        </Lines>
      )}
      <MoreBelow list={list} />
    </div>
  );
}

function Unfollow({ whom }: { whom: CreatorRef }) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const { platform, author } = whom;
  const again = useAction((api) => api.follow({ platform, author }), {
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["creators", "follows"] }),
  });
  const unfollow = useAction((api) => api.unfollow({ platform, author }), {
    onSuccess: () => {
      changeFollowing(queryClient, whom, false);
      removeFollow(queryClient, whom);
      show(t("creators.unfollowed", { author }), () => again.mutate());
    },
  });
  return (
    <Button
      onClick={() => unfollow.mutate()}
      busy={unfollow.isPending}
      aria-label={t("creators.unfollowOne", { author })}
    >
      {t("creators.unfollow")}
    </Button>
  );
}

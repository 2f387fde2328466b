import type { CommunityBan } from "@tandem/contract/communities";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { communityBansQuery } from "../../data/communities.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { creatorAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { fullName } from "../../shared/full-name.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { CardList, PersonRow } from "../../ui/person-row.tsx";
import { EmptyState, SkeletonCards } from "../../ui/states.tsx";
import { Deadline } from "../../ui/time.tsx";

/** The accounts that are banned from the community, with buttons that lift the bans. */
export function BanList({ name }: { name: string }) {
  const { t } = useText();
  const list = useInfiniteQuery(communityBansQuery(useApi(), name));
  if (list.isPending) return <SkeletonCards count={2} />;
  const bans = list.data?.pages.flatMap((page) => page.bans) ?? [];
  if (bans.length === 0) return <EmptyState drawing="people" title={t("communities.noBans")} />;
  return (
    <>
      <CardList label={t("communities.bans")}>
        {bans.map((ban) => (
          <Ban key={ban.username} name={name} ban={ban} />
        ))}
      </CardList>
      <LoadMore list={list} />
    </>
  );
}

function Ban({ name, ban }: { name: string; ban: CommunityBan }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const { username, displayName, avatarUrl, isAgent, reason, until } = ban;
  const lift = useAction((api) => api.liftCommunityBan({ name, username }), {
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["communities"] }),
  });
  return (
    <li>
      <PersonRow
        to={creatorAddress({ platform: "native", author: username })}
        picture={<Avatar name={displayName ?? username} src={avatarUrl} isAgent={isAgent} />}
        name={displayName ?? username}
        isAgent={isAgent}
        description={`@${username}`}
      >
        <Button
          busy={lift.isPending}
          aria-label={`${t("communities.liftBan")}: ${fullName(username, displayName)}`}
          onClick={() => lift.mutate()}
        >
          {t("communities.liftBan")}
        </Button>
      </PersonRow>
      <p className="px-4 pb-3 text-sm">
        <span className="theirs">{reason}</span>{" "}
        <span className="text-soft">
          ({until ? t("communities.until") : t("communities.permanently")}
          {until && (
            <>
              {" "}
              <Deadline at={until} />
            </>
          )}
          )
        </span>
      </p>
    </li>
  );
}

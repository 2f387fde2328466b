import { useInfiniteQuery } from "@tanstack/react-query";
import { Compass, UsersRound } from "lucide-react";
import { useMe } from "../../data/me.ts";
import { conversationsQuery, POLL } from "../../data/messages.ts";
import { friendsQuery } from "../../data/people.ts";
import { usePollInterval } from "../../data/poll.ts";
import { useText } from "../../i18n/use-text.tsx";
import { conversationAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { fullName } from "../../shared/full-name.ts";
import { page } from "../../shared/page.ts";
import { Aside, AsideLink, AsideSection, asideRow, WithAside } from "../../ui/aside.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { EmptyState, PageTitle, SkeletonCards } from "../../ui/states.tsx";
import { ConversationList } from "./conversation-list.tsx";

export const Conversations = page({
  load: ({ api, queryClient }) => queryClient.ensureInfiniteQueryData(conversationsQuery(api)),
  head: ({ i18n }) => ({ title: i18n._("nav.messages"), unlisted: true }),
  View: ConversationsView,
});

function ConversationsView() {
  const { t } = useText();
  const me = useMe();
  const list = useInfiniteQuery({
    ...conversationsQuery(useApi()),
    refetchOnMount: "always",
    refetchInterval: usePollInterval(POLL.list),
  });
  const conversations = list.data?.pages.flatMap((page) => page.conversations) ?? [];
  const newMessageButton = <ButtonLink to="/friends">{t("messages.toFriend")}</ButtonLink>;
  return (
    <WithAside aside={<Friends />}>
      <div>
        <PageTitle
          description={
            me?.role === "agent"
              ? t("messages.descriptionForAgent", { agent: fullName(me.username, me.displayName) })
              : t("messages.description")
          }
          actions={conversations.length > 0 && newMessageButton}
        >
          {t("nav.messages")}
        </PageTitle>
        {list.isPending ? (
          <SkeletonCards />
        ) : conversations.length === 0 ? (
          <EmptyState drawing="messages" title={t("messages.empty")} action={newMessageButton}>
            {t("messages.emptyDescription")}
          </EmptyState>
        ) : (
          <div className="card-flush overflow-hidden">
            <ConversationList conversations={conversations} />
          </div>
        )}
        <LoadMore list={list} />
      </div>
    </WithAside>
  );
}

const MAX_FRIENDS = 12;

/** Friends, each a link to the conversation with them. For agents and those without friends: where to find someone. */
function Friends() {
  const { t } = useText();
  const isAgent = useMe()?.role === "agent";
  const list = useInfiniteQuery({ ...friendsQuery(useApi()), enabled: !isAgent });
  if (!list.data && !isAgent) return null;
  const friends = list.data?.pages[0]?.friends ?? [];
  if (friends.length === 0)
    return (
      <Aside label={t("common.more")}>
        <AsideSection title={t("common.more")}>
          <AsideLink to="/creators" Icon={Compass}>
            {t("nav.creators")}
          </AsideLink>
          <AsideLink to="/communities" Icon={UsersRound}>
            {t("nav.communities")}
          </AsideLink>
        </AsideSection>
      </Aside>
    );
  return (
    <Aside label={t("nav.friends")}>
      <AsideSection title={t("nav.friends")}>
        {friends.slice(0, MAX_FRIENDS).map(({ username, displayName, avatarUrl }) => (
          <Link key={username} to={conversationAddress(username)} className={asideRow}>
            <Avatar name={displayName ?? username} src={avatarUrl} isAgent={false} size="small" />
            <span className="min-w-0">
              <span className="theirs-line block text-sm font-semibold">{displayName ?? username}</span>
              <span className="theirs-line block text-sm text-soft">@{username}</span>
            </span>
          </Link>
        ))}
      </AsideSection>
    </Aside>
  );
}

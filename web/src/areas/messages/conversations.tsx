import { useInfiniteQuery } from "@tanstack/react-query";
import { useMe } from "../../data/me.ts";
import { conversationsQuery, POLL } from "../../data/messages.ts";
import { usePollInterval } from "../../data/poll.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { page } from "../../shared/page.ts";
import { ButtonLink } from "../../ui/button.tsx";
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
    <div className="column">
      <PageTitle
        description={
          me?.role === "agent"
            ? t("messages.descriptionForAgent", { agent: me.username })
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
  );
}

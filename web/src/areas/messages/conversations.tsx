import { useInfiniteQuery } from "@tanstack/react-query";
import { conversationsQuery, POLL } from "../../data/messages.ts";
import { usePollInterval } from "../../data/poll.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { page } from "../../shared/page.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { MoreBelow } from "../../ui/load-more.tsx";
import { Empty, PageTitle, SkeletonCards } from "../../ui/states.tsx";
import { ConversationList } from "./conversation-list.tsx";

export const Conversations = page({
  load: ({ api, queryClient }) => queryClient.ensureInfiniteQueryData(conversationsQuery(api)),
  head: ({ i18n }) => ({ title: i18n._("nav.messages"), unlisted: true }),
  View: ConversationsView,
});

function ConversationsView() {
  const { t } = useText();
  const list = useInfiniteQuery({
    ...conversationsQuery(useApi()),
    refetchOnMount: "always",
    refetchInterval: usePollInterval(POLL.list),
  });
  const conversations = list.data?.pages.flatMap((one) => one.conversations) ?? [];
  const write = <ButtonLink to="/friends">{t("messages.toFriend")}</ButtonLink>;
  return (
    <div className="column">
      <PageTitle says={t("messages.says")} actions={conversations.length > 0 && write}>
        {t("nav.messages")}
      </PageTitle>
      {list.isPending ? (
        <SkeletonCards />
      ) : conversations.length === 0 ? (
        <Empty title={t("messages.empty")} action={write}>
          {t("messages.emptySays")}
        </Empty>
      ) : (
        <div className="card overflow-hidden max-sm:rounded-none max-sm:border-x-0">
          <ConversationList conversations={conversations} />
        </div>
      )}
      <MoreBelow list={list} />
    </div>
  );
}

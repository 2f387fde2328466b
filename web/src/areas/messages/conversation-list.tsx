import { plainText } from "@tandem/contract/markdown/plain";
import type { Conversation } from "@tandem/contract/people";
import { useMe } from "../../data/me.ts";
import { useText } from "../../i18n/use-text.tsx";
import { conversationAddress } from "../../shared/addresses.ts";
import { AgentBadge } from "../../ui/agent-badge.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { AccountNames } from "../../ui/byline.tsx";
import { Link } from "../../ui/link.tsx";
import { Time } from "../../ui/time.tsx";

/** Conversations, each with its latest message. */
export function ConversationList({ conversations }: { conversations: readonly Conversation[] }) {
  const { t } = useText();
  return (
    <ul aria-label={t("nav.messages")} className="divide-y">
      {conversations.map((conversation) => (
        <ConversationRow key={conversation.with} conversation={conversation} />
      ))}
    </ul>
  );
}

function ConversationRow({ conversation }: { conversation: Conversation }) {
  const { t } = useText();
  const me = useMe();
  const { withDisplayName, withAvatarUrl, withIsAgent, gone, lastMessage, unread } = conversation;
  const name = gone ? t("messages.deletedAccount") : (withDisplayName ?? conversation.with);
  const isOwn = lastMessage.from === me?.username;
  const lastWords = plainText(lastMessage.body);
  return (
    <li>
      <Link
        to={conversationAddress(conversation.with)}
        className="flex items-center gap-3 px-4 py-3 hover:bg-sunken aria-[current=page]:bg-accent-soft/50"
      >
        <Avatar name={name} src={withAvatarUrl} isAgent={withIsAgent} />
        <span className="min-w-0 flex-1">
          <span className="flex items-center gap-2">
            <AccountNames
              name={name}
              nameClass={unread > 0 ? "font-bold" : "font-semibold"}
              handle={gone ? null : conversation.with}
            />
            {withIsAgent && <AgentBadge />}
            <Time isAge at={lastMessage.createdAt} className="ms-auto shrink-0 text-sm text-soft" />
          </span>
          <span className="flex items-center gap-2">
            <span className={`theirs-line block text-sm ${unread > 0 ? "font-medium" : "text-soft"}`}>
              {isOwn ? t("messages.you", { text: lastWords }) : lastWords}
            </span>
            {unread > 0 && (
              <span className="ms-auto grid min-w-5 shrink-0 place-items-center rounded-full bg-accent px-1.5 text-xs font-bold text-on-accent">
                <span aria-hidden="true">{unread}</span>
                <span className="sr-only">{t("nav.unread", { unread })}</span>
              </span>
            )}
          </span>
        </span>
      </Link>
    </li>
  );
}

import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowLeft, Eye } from "lucide-react";
import { useEffect } from "react";
import { creatorQuery, knownCreator } from "../../data/creators.ts";
import { useMe } from "../../data/me.ts";
import {
  conversationsQuery,
  markAsRead,
  messagesOf,
  messagesQuery,
  newMessagesQuery,
  POLL,
} from "../../data/messages.ts";
import { useOutbox } from "../../data/outbox.ts";
import { usePollInterval } from "../../data/poll.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useParams } from "../../router/provider.tsx";
import { creatorAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { fullName } from "../../shared/full-name.ts";
import { page } from "../../shared/page.ts";
import { AgentBadge } from "../../ui/agent-badge.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { Link } from "../../ui/link.tsx";
import { OperatorText } from "../../ui/operator-text.tsx";
import { BlockedRecipient } from "./blocked-recipient.tsx";
import { MessageComposer } from "./composer.tsx";
import { ConversationList } from "./conversation-list.tsx";
import { MessageLog } from "./message-log.tsx";

const creatorRefOf = (username: string) => ({ platform: "native" as const, author: username });

/** Deleted accounts have a placeholder for a username. */
const isDeletedAccount = (username: string) => username.startsWith("[deleted-");

export const Conversation = page({
  load: ({ api, queryClient, params: { username = "" } }) =>
    Promise.all([
      queryClient.ensureInfiniteQueryData(messagesQuery(api, username)),
      queryClient.ensureInfiniteQueryData(conversationsQuery(api)),
      isDeletedAccount(username)
        ? null
        : queryClient.ensureQueryData(creatorQuery(api, creatorRefOf(username))),
    ]),
  head: ({ api, queryClient, i18n, params: { username = "" } }) => {
    const creator = knownCreator(queryClient, api, creatorRefOf(username));
    const name = isDeletedAccount(username)
      ? i18n._("messages.deletedAccount")
      : fullName(username, creator?.displayName);
    return { title: i18n._("messages.with", { name }), unlisted: true };
  },
  View: ConversationView,
});

function ConversationView() {
  const { username = "" } = useParams();
  const { t } = useText();
  const list = useInfiniteQuery({
    ...conversationsQuery(useApi()),
    refetchInterval: usePollInterval(POLL.list),
  });
  const conversations = list.data?.pages.flatMap((page) => page.conversations) ?? [];
  return (
    <div className="-mb-24 flex h-[calc(100dvh-7.25rem-env(safe-area-inset-bottom))] gap-4 sm:-mx-4 rail:mx-0 rail:-mb-12 rail:h-dvh rail:py-4">
      <aside className="card hidden w-72 shrink-0 overflow-y-auto wide:block">
        <h2 className="px-4 pt-4 pb-2 text-lg font-bold">
          <Link to="/messages" className="inline-block min-h-6 hover:underline">
            {t("nav.messages")}
          </Link>
        </h2>
        <ConversationList conversations={conversations} />
      </aside>
      <ConversationPane key={username} username={username} />
    </div>
  );
}

function ConversationPane({ username }: { username: string }) {
  const isDeleted = isDeletedAccount(username);
  const name = useDisplayName(username);
  const isBlocked = useOtherProfile(username)?.relationship?.blocked ?? false;
  const list = useInfiniteQuery(messagesQuery(useApi(), username));
  const messages = list.data ? messagesOf(list.data) : [];
  const outbox = useOutbox(username);
  useNewMessages(username);
  useMarkAsRead(username, messages.at(-1)?.id, messages.at(-1)?.from);
  return (
    <section
      aria-labelledby="with"
      className="flex min-w-0 flex-1 flex-col rail:card rail:overflow-hidden rail:rounded-card rail:border rail:bg-surface"
    >
      <ConversationHeader username={username} name={name} />
      <ReadersNotice username={username} name={name} />
      <MessageLog messages={messages} list={list} outbox={outbox} name={name} isBlocked={isBlocked} />
      {isBlocked ? (
        <BlockedRecipient username={username} />
      ) : (
        <MessageComposer username={username} name={name} isDeleted={isDeleted} onSend={outbox.send} />
      )}
    </section>
  );
}

/** Polls for new messages while the page is visible. */
function useNewMessages(username: string): void {
  const query = newMessagesQuery(useApi(), useQueryClient(), username);
  useQuery({ ...query, refetchInterval: usePollInterval(POLL.conversation) });
}

/** Marks the other account's messages as read once they are shown. */
function useMarkAsRead(username: string, latest: number | undefined, from: string | undefined): void {
  const api = useApi();
  const queryClient = useQueryClient();
  const me = useMe()?.username;
  useEffect(() => {
    if (latest === undefined || from === me) return;
    api.markConversationRead({ username }).then(
      () => markAsRead(queryClient, username),
      // It stays unread until the next visit.
      () => {},
    );
  }, [latest, from, me, username, api, queryClient]);
}

/** The other account's profile; undefined if it is deleted. */
const useOtherProfile = (username: string) =>
  useQuery({ ...creatorQuery(useApi(), creatorRefOf(username)), enabled: !isDeletedAccount(username) }).data;

function useDisplayName(username: string): string {
  const { t } = useText();
  const profile = useOtherProfile(username);
  return isDeletedAccount(username)
    ? t("messages.deletedAccount")
    : (profile?.displayName ?? profile?.author ?? username);
}

function ConversationHeader({ username, name }: { username: string; name: string }) {
  const { t } = useText();
  const profile = useOtherProfile(username);
  return (
    <header className="flex items-center gap-3 border-b px-2 py-2 sm:px-4">
      <Link
        to="/messages"
        aria-label={t("messages.back")}
        className="grid size-10 place-items-center rounded-full text-soft hover:bg-sunken wide:hidden"
      >
        <ArrowLeft className="size-5 rtl:rotate-180" aria-hidden="true" />
      </Link>
      <Avatar name={name} src={profile?.avatarUrl ?? null} isAgent={profile?.authorIsAgent ?? false} />
      <div className="min-w-0">
        <h1 id="with" className="theirs-line block leading-6 font-bold">
          {isDeletedAccount(username) ? (
            name
          ) : (
            <Link to={creatorAddress(creatorRefOf(username))} className="theirs-line block hover:underline">
              {name}
            </Link>
          )}
        </h1>
        {profile && (
          <p className="flex items-center gap-2 text-sm text-soft">
            <span className="theirs-line block">@{profile.author}</span>
            {profile.authorIsAgent && <AgentBadge />}
          </p>
        )}
      </div>
    </header>
  );
}

/** Says who else can read the conversation, before its first message: the operator of an agent in it. */
function ReadersNotice({ username, name }: { username: string; name: string }) {
  const { t } = useText();
  const me = useMe();
  const profile = useOtherProfile(username);
  const operator = profile?.operator;
  const both = profile ? fullName(profile.author, profile.displayName) : name;
  if (me?.role !== "agent" && !operator) return null;
  return (
    <p className="flex items-start gap-2 border-b bg-agent-soft px-4 py-2 text-sm">
      <Eye className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
      <span>
        {me?.role === "agent"
          ? t("messages.readAsOperator", { agent: fullName(me.username, me.displayName), name: both })
          : operator?.username === me?.username
            ? t("messages.readByYou", { name: both })
            : operator && <OperatorText text="messages.readByOperator" operator={operator} />}
      </span>
    </p>
  );
}

import type { Friend, FriendRequest } from "@tandem/contract/people";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { MessageCircle, UserMinus } from "lucide-react";
import { useState } from "react";
import { friendRequestsQuery, friendsQuery, peopleKey } from "../../data/people.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { conversationAddress, creatorAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { page } from "../../shared/page.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button, ButtonLink, IconButton } from "../../ui/button.tsx";
import { AskFirst } from "../../ui/lazy-confirm-dialog.tsx";
import { MoreBelow } from "../../ui/load-more.tsx";
import { Lines, PersonLine } from "../../ui/person-row.tsx";
import { Empty, PageTitle, SkeletonCards } from "../../ui/states.tsx";

export const Friends = page({
  load: ({ api, queryClient }) =>
    Promise.all([
      queryClient.ensureInfiniteQueryData(friendsQuery(api)),
      queryClient.ensureQueryData(friendRequestsQuery(api)),
    ]),
  head: ({ i18n }) => ({ title: i18n._("nav.friends"), unlisted: true }),
  View: FriendsView,
});

/** An account of ours, by its name. */
const whereIs = (username: string) => creatorAddress({ platform: "native", author: username });

function FriendsView() {
  const { t } = useText();
  const api = useApi();
  const list = useInfiniteQuery(friendsQuery(api));
  const requests = useQuery(friendRequestsQuery(api)).data;
  const friends = list.data?.pages.flatMap((one) => one.friends) ?? [];
  return (
    <div className="column">
      <PageTitle
        says={t("people.friendsSay")}
        actions={<ButtonLink to="/blocks">{t("people.blocks")}</ButtonLink>}
      >
        {t("nav.friends")}
      </PageTitle>
      {requests && requests.incoming.length > 0 && (
        <Section title={t("people.incoming")} count={requests.incoming.length}>
          {requests.incoming.map((request) => (
            <Incoming key={request.id} request={request} />
          ))}
        </Section>
      )}
      {requests && requests.outgoing.length > 0 && (
        <Section title={t("people.outgoing")} count={requests.outgoing.length}>
          {requests.outgoing.map((request) => (
            <Outgoing key={request.id} request={request} />
          ))}
        </Section>
      )}
      {list.isPending ? (
        <SkeletonCards count={2} />
      ) : friends.length === 0 ? (
        <Empty
          title={t("people.noFriends")}
          action={<ButtonLink to="/creators">{t("people.find")}</ButtonLink>}
        >
          {t("people.noFriendsSay")}
        </Empty>
      ) : (
        <Section title={t("people.yours")} count={friends.length}>
          {friends.map((friend) => (
            <FriendLine key={friend.username} friend={friend} />
          ))}
        </Section>
      )}
      <MoreBelow list={list} />
    </div>
  );
}

function Section({ title, count, children }: { title: string; count: number; children: React.ReactNode }) {
  return (
    <section className="pb-6">
      <h2 className="px-4 pb-2 text-lg font-bold sm:px-0">
        {title} <span className="font-normal text-soft">{count}</span>
      </h2>
      <Lines label={title}>{children}</Lines>
    </section>
  );
}

/** What an answer to a request changes is read anew. */
function usePeopleAction<V>(...[run, after]: Parameters<typeof useAction<unknown, V>>) {
  const queryClient = useQueryClient();
  return useAction(run, {
    onSuccess: (answer, values) => {
      after?.onSuccess?.(answer, values);
      return queryClient.invalidateQueries({ queryKey: peopleKey });
    },
  });
}

function Incoming({ request }: { request: FriendRequest }) {
  const { id, from, fromDisplayName, fromAvatarUrl } = request;
  const name = fromDisplayName ?? from;
  const { t } = useText();
  const { show } = useToasts();
  const accept = usePeopleAction((api) => api.acceptFriend({ id }), {
    onSuccess: () => show(t("people.accepted", { name })),
  });
  const decline = usePeopleAction((api) => api.declineFriend({ id }));
  const busy = accept.isPending || decline.isPending;
  return (
    <li>
      <PersonLine
        to={whereIs(from)}
        name={name}
        picture={<Avatar name={name} src={fromAvatarUrl} isAgent={false} />}
        says={`@${from}`}
      >
        <Button look="primary" disabled={busy} onClick={() => accept.mutate()}>
          {t("people.accept")}
        </Button>
        <Button disabled={busy} onClick={() => decline.mutate()}>
          {t("people.decline")}
        </Button>
      </PersonLine>
    </li>
  );
}

function Outgoing({ request }: { request: FriendRequest }) {
  const { id, to, toDisplayName, toAvatarUrl } = request;
  const name = toDisplayName ?? to;
  const { t } = useText();
  const withdraw = usePeopleAction((api) => api.withdrawFriendRequest({ id }));
  return (
    <li>
      <PersonLine
        to={whereIs(to)}
        name={name}
        picture={<Avatar name={name} src={toAvatarUrl} isAgent={false} />}
        says={t("people.asked")}
      >
        <Button onClick={() => withdraw.mutate()} busy={withdraw.isPending}>
          {t("people.withdraw")}
        </Button>
      </PersonLine>
    </li>
  );
}

function FriendLine({ friend: { username, displayName, avatarUrl } }: { friend: Friend }) {
  const { t } = useText();
  const [asks, setAsks] = useState(false);
  const name = displayName ?? username;
  const remove = usePeopleAction((api) => api.removeFriend({ username }), {
    onSuccess: () => setAsks(false),
  });
  return (
    <li>
      <PersonLine
        to={whereIs(username)}
        name={name}
        picture={<Avatar name={name} src={avatarUrl} isAgent={false} />}
        says={`@${username}`}
      >
        <ButtonLink to={conversationAddress(username)} aria-label={t("people.messageTo", { name })}>
          <MessageCircle className="size-4" aria-hidden="true" />
          <span className="max-sm:hidden">{t("people.message")}</span>
        </ButtonLink>
        <IconButton label={t("people.removeOne", { name })} onClick={() => setAsks(true)}>
          <UserMinus className="size-4.5" aria-hidden="true" />
        </IconButton>
      </PersonLine>
      <AskFirst
        open={asks}
        onClose={() => setAsks(false)}
        onConfirm={() => remove.mutate()}
        busy={remove.isPending}
        title={t("people.removeTitle", { name })}
        says={t("people.removeSays")}
        action={t("people.remove")}
      />
    </li>
  );
}

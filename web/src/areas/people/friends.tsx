import type { Friend, FriendRequest } from "@tandem/contract/people";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { MessageCircle, UserMinus } from "lucide-react";
import { useState } from "react";
import { friendRequestsQuery, friendsQuery, invalidateRelationships } from "../../data/people.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { conversationAddress, creatorAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { fullName } from "../../shared/full-name.ts";
import { page } from "../../shared/page.ts";
import { WithAside } from "../../ui/aside.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { Button, ButtonLink, IconButton } from "../../ui/button.tsx";
import { LazyConfirmDialog } from "../../ui/lazy-confirm-dialog.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { PeopleAside } from "../../ui/people-aside.tsx";
import { CardList, PersonRow } from "../../ui/person-row.tsx";
import { EmptyState, PageTitle, SkeletonCards } from "../../ui/states.tsx";
import { RequestButtons } from "./request-buttons.tsx";

export const Friends = page({
  load: ({ api, queryClient }) =>
    Promise.all([
      queryClient.ensureInfiniteQueryData(friendsQuery(api)),
      queryClient.ensureQueryData(friendRequestsQuery(api)),
    ]),
  head: ({ i18n }) => ({ title: i18n._("nav.friends"), unlisted: true }),
  View: FriendsView,
});

const profileAddress = (username: string) => creatorAddress({ platform: "native", author: username });

function FriendsView() {
  const { t } = useText();
  const api = useApi();
  const list = useInfiniteQuery(friendsQuery(api));
  const requests = useQuery(friendRequestsQuery(api)).data;
  const friends = list.data?.pages.flatMap((page) => page.friends) ?? [];
  return (
    <WithAside aside={<PeopleAside current="/friends" />}>
      <div>
        <PageTitle description={t("people.friendsDescription")}>{t("nav.friends")}</PageTitle>
        {requests && requests.incoming.length > 0 && (
          <FriendSection title={t("people.incoming")} count={requests.incoming.length}>
            {requests.incoming.map((request) => (
              <IncomingRequest key={request.id} request={request} />
            ))}
          </FriendSection>
        )}
        {requests && requests.outgoing.length > 0 && (
          <FriendSection title={t("people.outgoing")} count={requests.outgoing.length}>
            {requests.outgoing.map((request) => (
              <OutgoingRequest key={request.id} request={request} />
            ))}
          </FriendSection>
        )}
        {list.isPending ? (
          <SkeletonCards count={2} />
        ) : friends.length === 0 ? (
          <EmptyState
            drawing="people"
            title={t("people.noFriends")}
            action={<ButtonLink to="/creators">{t("people.find")}</ButtonLink>}
          >
            {t("people.noFriendsDescription")}
          </EmptyState>
        ) : (
          <FriendSection title={t("people.yourFriends")} count={friends.length}>
            {friends.map((friend) => (
              <FriendRow key={friend.username} friend={friend} />
            ))}
          </FriendSection>
        )}
        <LoadMore list={list} />
      </div>
    </WithAside>
  );
}

function FriendSection({
  title,
  count,
  children,
}: {
  title: string;
  count: number;
  children: React.ReactNode;
}) {
  return (
    <section className="pb-6">
      <h2 className="px-4 pb-2 text-lg font-bold sm:px-0">
        {title} <span className="font-normal text-soft">{count}</span>
      </h2>
      <CardList label={title}>{children}</CardList>
    </section>
  );
}

/** An action that refetches friends and requests. */
function usePeopleAction<V>(...[run, after]: Parameters<typeof useAction<unknown, V>>) {
  const queryClient = useQueryClient();
  return useAction(run, {
    onSuccess: (response, values) => {
      after?.onSuccess?.(response, values);
      return invalidateRelationships(queryClient);
    },
  });
}

function IncomingRequest({ request }: { request: FriendRequest }) {
  const { id, from, fromDisplayName, fromAvatarUrl } = request;
  const name = fromDisplayName ?? from;
  return (
    <li>
      <PersonRow
        to={profileAddress(from)}
        name={name}
        picture={<Avatar name={name} src={fromAvatarUrl} isAgent={false} />}
        description={`@${from}`}
      >
        <RequestButtons id={id} name={fullName(from, fromDisplayName)} />
      </PersonRow>
    </li>
  );
}

function OutgoingRequest({ request }: { request: FriendRequest }) {
  const { id, to, toDisplayName, toAvatarUrl } = request;
  const name = toDisplayName ?? to;
  const { t } = useText();
  const withdraw = usePeopleAction((api) => api.withdrawFriendRequest({ id }));
  return (
    <li>
      <PersonRow
        to={profileAddress(to)}
        name={name}
        picture={<Avatar name={name} src={toAvatarUrl} isAgent={false} />}
        description={`@${to}`}
        note={t("people.requestPending")}
      >
        <Button
          onClick={() => withdraw.mutate()}
          busy={withdraw.isPending}
          aria-label={`${t("people.cancelRequest")}: ${fullName(to, toDisplayName)}`}
        >
          {t("people.cancelRequest")}
        </Button>
      </PersonRow>
    </li>
  );
}

function FriendRow({ friend: { username, displayName, avatarUrl } }: { friend: Friend }) {
  const { t } = useText();
  const { show } = useToasts();
  const [isConfirming, setConfirming] = useState(false);
  const name = displayName ?? username;
  const both = { name: fullName(username, displayName) };
  const remove = usePeopleAction((api) => api.removeFriend({ username }), {
    onSuccess: () => {
      setConfirming(false);
      show(t("people.removed", both));
    },
  });
  return (
    <li>
      <PersonRow
        to={profileAddress(username)}
        name={name}
        picture={<Avatar name={name} src={avatarUrl} isAgent={false} />}
        description={`@${username}`}
      >
        <ButtonLink to={conversationAddress(username)} aria-label={t("people.messageTo", both)}>
          <MessageCircle className="size-4" aria-hidden="true" />
          <span className="max-sm:hidden">{t("people.message")}</span>
        </ButtonLink>
        <IconButton label={t("people.removeNamed", both)} onClick={() => setConfirming(true)}>
          <UserMinus className="size-4.5" aria-hidden="true" />
        </IconButton>
      </PersonRow>
      <LazyConfirmDialog
        open={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => remove.mutate()}
        busy={remove.isPending}
        title={t("people.removeTitle", both)}
        description={t("people.removeDescription")}
        action={t("people.remove")}
      />
    </li>
  );
}

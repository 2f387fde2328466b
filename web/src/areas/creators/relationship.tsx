import type { FriendRequest } from "@tandem/contract/people";
import type { Creator } from "@tandem/contract/resources";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { Ban, Ellipsis, UserCheck, UserPlus } from "lucide-react";
import { useState } from "react";
import { creatorQuery } from "../../data/creators.ts";
import { applyBlock, blocksQuery, friendRequestsQuery, friendsQuery, peopleKey } from "../../data/people.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { LazyConfirmDialog } from "../../ui/lazy-confirm-dialog.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";
import type { CreatorDialog } from "./creator-menu.tsx";

const ReportDialog = lazyComponent(async () => ({
  default: (await import("../../posts/report-dialog.tsx")).ReportDialog,
}));
const CreatorMenu = lazyComponent(() => import("./creator-menu.tsx"));

/** The relationship between the reader and another account. */
interface Relationship {
  friends: boolean;
  /** A friend request to the reader, and one by the reader. */
  incoming: FriendRequest | undefined;
  outgoing: FriendRequest | undefined;
  blocked: boolean;
}

/** Loaded after hydration, so that it doesn't delay the page. */
export function useRelationship(author: string): Relationship {
  const api = useApi();
  const enabled = useHydrated();
  const isAuthor = (name: string) => name.toLowerCase() === author.toLowerCase();
  const friends = useInfiniteQuery({ ...friendsQuery(api), enabled }).data?.pages ?? [];
  const requests = useQuery({ ...friendRequestsQuery(api), enabled }).data;
  const blocks = useInfiniteQuery({ ...blocksQuery(api), enabled }).data?.pages ?? [];
  return {
    friends: friends.some((page) => page.friends.some(({ username }) => isAuthor(username))),
    incoming: requests?.incoming.find(({ from }) => isAuthor(from)),
    outgoing: requests?.outgoing.find(({ to }) => isAuthor(to)),
    blocked: blocks.some((page) => page.blocks.some(({ username }) => isAuthor(username))),
  };
}

/** Returns a function that refetches the relationship and the creator. */
function useInvalidateRelationship(creator: Creator) {
  const queryClient = useQueryClient();
  const api = useApi();
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: peopleKey }),
      queryClient.invalidateQueries(creatorQuery(api, creator)),
    ]);
}

/** The friend button and the menu, for creators who aren't blocked. */
export function RelationshipActions({
  creator,
  relationship,
}: {
  creator: Creator;
  relationship: Relationship;
}) {
  const { t } = useText();
  const [openDialog, setOpenDialog] = useState<CreatorDialog | null>(null);
  const close = () => setOpenDialog(null);
  const { author: username } = creator;
  // Remembers a click before the menu was loaded, and opens it then.
  const [isMenuOpen, setMenuOpen] = useState(false);
  const menuButton = (
    <IconButton
      label={t("creators.more")}
      className="border border-edge/50"
      onClick={() => setMenuOpen(true)}
    >
      <Ellipsis className="size-5" aria-hidden="true" />
    </IconButton>
  );
  return (
    <>
      {!creator.authorIsAgent && <FriendButton creator={creator} relationship={relationship} />}
      <CreatorMenu
        fallback={menuButton}
        button={menuButton}
        defaultOpen={isMenuOpen}
        username={username}
        friends={relationship.friends}
        onOpenDialog={setOpenDialog}
      />
      <BlockDialog creator={creator} open={openDialog === "block"} onClose={close} />
      <UnfriendDialog creator={creator} open={openDialog === "unfriend"} onClose={close} />
      {openDialog === "report" && <ReportDialog target={{ username }} onClose={close} />}
    </>
  );
}

function FriendButton({ creator, relationship }: { creator: Creator; relationship: Relationship }) {
  const { t } = useText();
  const { show } = useToasts();
  const onSuccess = useInvalidateRelationship(creator);
  const { author: username } = creator;
  const { friends, incoming, outgoing } = relationship;
  const sendRequest = useAction((api) => api.requestFriend({ username }), { onSuccess });
  const accept = useAction((api, id: number) => api.acceptFriend({ id }), {
    onSuccess: () => {
      show(t("creators.nowFriends", { username }));
      return onSuccess();
    },
  });
  const withdraw = useAction((api, id: number) => api.withdrawFriendRequest({ id }), { onSuccess });
  if (friends)
    return (
      <span className="inline-flex min-h-10 items-center gap-2 px-2 font-semibold text-person">
        <UserCheck className="size-4" aria-hidden="true" />
        {t("creators.friends")}
      </span>
    );
  if (incoming)
    return (
      <Button onClick={() => accept.mutate(incoming.id)} busy={accept.isPending}>
        <UserCheck className="size-4" aria-hidden="true" />
        {t("creators.accept")}
      </Button>
    );
  if (outgoing)
    return (
      <Button variant="quiet" onClick={() => withdraw.mutate(outgoing.id)} busy={withdraw.isPending}>
        {t("creators.withdraw")}
      </Button>
    );
  return (
    <Button onClick={() => sendRequest.mutate()} busy={sendRequest.isPending}>
      <UserPlus className="size-4" aria-hidden="true" />
      {t("creators.befriend")}
    </Button>
  );
}

interface DialogProps {
  creator: Creator;
  open: boolean;
  onClose(): void;
}

function BlockDialog({ creator, open, onClose }: DialogProps) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const invalidate = useInvalidateRelationship(creator);
  const { author: username } = creator;
  const block = useAction((api) => api.block({ username }), {
    onSuccess: () => {
      onClose();
      applyBlock(queryClient, username, true);
      return invalidate();
    },
  });
  return (
    <LazyConfirmDialog
      open={open}
      onClose={onClose}
      onConfirm={() => block.mutate()}
      busy={block.isPending}
      title={t("creators.blockTitle", { username })}
      description={t(creator.authorIsAgent ? "creators.blockAgentSays" : "creators.blockSays")}
      action={t("creators.blockIt")}
    />
  );
}

function UnfriendDialog({ creator, open, onClose }: DialogProps) {
  const { t } = useText();
  const invalidate = useInvalidateRelationship(creator);
  const { author: username } = creator;
  const remove = useAction((api) => api.removeFriend({ username }), {
    onSuccess: () => {
      onClose();
      return invalidate();
    },
  });
  return (
    <LazyConfirmDialog
      open={open}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
      busy={remove.isPending}
      title={t("creators.unfriendTitle", { username })}
      description={t("creators.unfriendSays")}
      action={t("creators.unfriend")}
    />
  );
}

/** Replaces all other actions while the reader blocks the account. */
export function BlockedNotice({ creator }: { creator: Creator }) {
  const { t } = useText();
  const invalidate = useInvalidateRelationship(creator);
  const { author: username } = creator;
  const queryClient = useQueryClient();
  const unblock = useAction((api) => api.unblock({ username }), {
    onSuccess: () => {
      applyBlock(queryClient, username, false);
      return invalidate();
    },
  });
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-xl bg-sunken px-4 py-3">
      <p className="flex items-center gap-2">
        <Ban className="size-4 shrink-0" aria-hidden="true" />
        {t("creators.blocked")}
      </p>
      <Button onClick={() => unblock.mutate()} busy={unblock.isPending}>
        {t("creators.unblock")}
      </Button>
    </div>
  );
}

import type { Creator, Relationship } from "@tandem/contract/resources";
import { useQueryClient } from "@tanstack/react-query";
import { Ban, Ellipsis, ListPlus, UserCheck, UserPlus, VolumeX } from "lucide-react";
import { useState } from "react";
import { applyMute } from "../../data/mutes.ts";
import { applyBlock, invalidateRelationships } from "../../data/people.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { fullName } from "../../shared/full-name.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { LazyConfirmDialog } from "../../ui/lazy-confirm-dialog.tsx";
import type { CreatorDialog } from "./creator-menu.tsx";

const BlockDialog = lazyComponent(async () => ({
  default: (await import("../../posts/block-dialog.tsx")).BlockDialog,
}));
const MuteDialog = lazyComponent(async () => ({
  default: (await import("../../posts/mute-dialog.tsx")).MuteDialog,
}));
const ReportDialog = lazyComponent(async () => ({
  default: (await import("../../posts/report-dialog.tsx")).ReportDialog,
}));
const PictureRemoval = lazyComponent(() => import("./picture-removal.tsx"));
const ListDialog = lazyComponent(async () => ({
  default: (await import("./list-dialog.tsx")).ListDialog,
}));
const CreatorMenu = lazyComponent(() => import("./creator-menu.tsx"));

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
  const { author: username, displayName } = creator;
  const name = fullName(username, displayName);
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
      {!creator.authorIsAgent && <FriendButton username={username} name={name} relationship={relationship} />}
      <CreatorMenu
        fallback={menuButton}
        button={menuButton}
        defaultOpen={isMenuOpen}
        creator={creator}
        friends={relationship.friends}
        onOpenDialog={setOpenDialog}
      />
      <UnfriendDialog name={name} username={username} open={openDialog === "unfriend"} onClose={close} />
      {openDialog === "block" && (
        <BlockDialog
          username={username}
          displayName={displayName}
          isAgent={creator.authorIsAgent}
          onClose={close}
        />
      )}
      {openDialog === "list" && <ListDialog creator={creator} onClose={close} />}
      {openDialog === "mute" && (
        <MuteDialog platform="native" author={username} displayName={displayName} onClose={close} />
      )}
      {openDialog === "report" && <ReportDialog target={{ username }} onClose={close} />}
      {(openDialog === "avatar" || openDialog === "banner") && (
        <PictureRemoval username={username} name={name} picture={openDialog} onClose={close} />
      )}
    </>
  );
}

function FriendButton({
  username,
  name,
  relationship,
}: {
  username: string;
  name: string;
  relationship: Relationship;
}) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const { friends, friendRequest } = relationship;
  const onSuccess = () => invalidateRelationships(queryClient);
  const sendRequest = useAction((api) => api.requestFriend({ username }), { onSuccess });
  const accept = useAction((api, id: number) => api.acceptFriend({ id }), {
    onSuccess: () => {
      show(t("creators.nowFriends", { username: name }));
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
  if (friendRequest?.direction === "incoming")
    return (
      <Button onClick={() => accept.mutate(friendRequest.id)} busy={accept.isPending}>
        <UserCheck className="size-4" aria-hidden="true" />
        {t("creators.accept")}
      </Button>
    );
  if (friendRequest)
    return (
      <Button variant="quiet" onClick={() => withdraw.mutate(friendRequest.id)} busy={withdraw.isPending}>
        {t("creators.cancelRequest")}
      </Button>
    );
  return (
    <Button onClick={() => sendRequest.mutate()} busy={sendRequest.isPending}>
      <UserPlus className="size-4" aria-hidden="true" />
      {t("creators.addFriend")}
    </Button>
  );
}

function UnfriendDialog({
  username,
  name,
  open,
  onClose,
}: {
  username: string;
  name: string;
  open: boolean;
  onClose(): void;
}) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const remove = useAction((api) => api.removeFriend({ username }), {
    onSuccess: () => {
      onClose();
      return invalidateRelationships(queryClient);
    },
  });
  return (
    <LazyConfirmDialog
      open={open}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
      busy={remove.isPending}
      title={t("creators.unfriendTitle", { username: name })}
      description={t("creators.unfriendDescription")}
      action={t("creators.unfriend")}
    />
  );
}

/** Mutes a creator without a relationship to readers, such as an author on another platform. */
export function MuteButton({ creator: { platform, author, displayName } }: { creator: Creator }) {
  const { t } = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <VolumeX className="size-4" aria-hidden="true" />
        {t("creators.mute")}
      </Button>
      {isOpen && (
        <MuteDialog
          platform={platform}
          author={author}
          displayName={displayName}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** Puts such a creator on lists. */
export function ListButton({ creator }: { creator: Creator }) {
  const { t } = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <ListPlus className="size-4" aria-hidden="true" />
        {t("creators.addToList")}
      </Button>
      {isOpen && <ListDialog creator={creator} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Above the other actions while the reader mutes the creator. */
export function MutedNotice({ creator: { platform, author } }: { creator: Creator }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const unmute = useAction((api) => api.unmute({ platform, author }), {
    onSuccess: () => applyMute(queryClient, { platform, author }, false),
  });
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-xl bg-sunken px-4 py-3">
      <p className="flex items-center gap-2">
        <VolumeX className="size-4 shrink-0" aria-hidden="true" />
        {t("creators.muted")}
      </p>
      <Button onClick={() => unmute.mutate()} busy={unmute.isPending}>
        {t("creators.unmute")}
      </Button>
    </div>
  );
}

/** Replaces all other actions while the reader blocks the account. */
export function BlockedNotice({ username }: { username: string }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const unblock = useAction((api) => api.unblock({ username }), {
    onSuccess: () => applyBlock(queryClient, username, false),
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

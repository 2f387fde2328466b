import type { Comment } from "@tandem/contract/post-resources";
import { useQueryClient } from "@tanstack/react-query";
import { Flag, Link2, Pencil, ShieldCheck, Trash2, VolumeX } from "lucide-react";
import { startTransition, useState } from "react";
import { useMe } from "../../data/me.ts";
import { changePost } from "../../data/posts.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import {
  CommunityBanDialog,
  CommunityRemovalDialog,
  CommunityRemovalItems,
  nativeCommunity,
  useModerated,
} from "../../posts/community-moderation.tsx";
import { MuteDialog } from "../../posts/mute-dialog.tsx";
import { ReportDialog } from "../../posts/report-dialog.tsx";
import { copyLink } from "../../posts/share-link.ts";
import { useNavigate } from "../../router/provider.tsx";
import { postAddress, verifyAddress } from "../../shared/addresses.ts";
import { fullName } from "../../shared/full-name.ts";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { useBaseUrl } from "../../ui/use-base-url.ts";
import { CommentMenuTrigger } from "./menu-trigger.tsx";
import { useThread } from "./thread-context.ts";

/** A comment's menu, with more items for the author. */
export default function CommentMenu({
  comment: { id, username, authorName },
  onEdit,
}: {
  comment: Comment;
  onEdit(): void;
}) {
  const { t } = useText();
  const baseUrl = useBaseUrl();
  const { post } = useThread();
  const [openDialog, setDialog] = useState<"delete" | "report" | "mute" | "remove" | "ban" | null>(null);
  // In a frame after the one in which the menu closes and gives the focus back, which the dialog later returns it to.
  const setOpenDialog = (dialog: typeof openDialog) => startTransition(() => setDialog(dialog));
  const feedback = { t, ...useToasts() };
  const me = useMe();
  const isOwn = me?.username === username;
  const moderated = useModerated(post);
  const community = moderated?.community.name ?? "";
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const link = `${baseUrl}${postAddress(post.id)}#comment-${id}`;
  return (
    <>
      <Menu button={<CommentMenuTrigger name={fullName(username, authorName)} />} defaultOpen>
        <MenuItem
          icon={<Link2 className="size-4" aria-hidden="true" />}
          onSelect={() => copyLink({ link }, feedback)}
        >
          {t("card.copy")}
        </MenuItem>
        <MenuItem
          icon={<ShieldCheck className="size-4" aria-hidden="true" />}
          onSelect={() => void navigate({ to: verifyAddress, search: { url: link } })}
        >
          {t("thread.receipt")}
        </MenuItem>
        {isOwn && (
          <>
            <MenuItem icon={<Pencil className="size-4" aria-hidden="true" />} onSelect={onEdit}>
              {t("common.edit")}
            </MenuItem>
            <MenuItem
              danger
              icon={<Trash2 className="size-4" aria-hidden="true" />}
              onSelect={() => setOpenDialog("delete")}
            >
              {t("common.delete")}
            </MenuItem>
          </>
        )}
        {me && !isOwn && me.role !== "agent" && (
          <MenuItem
            icon={<Flag className="size-4" aria-hidden="true" />}
            onSelect={() => setOpenDialog("report")}
          >
            {t("card.report")}
          </MenuItem>
        )}
        {me && !isOwn && (
          <MenuItem
            icon={<VolumeX className="size-4" aria-hidden="true" />}
            onSelect={() => setOpenDialog("mute")}
          >
            {t("card.mute", { name: `@${username}` })}
          </MenuItem>
        )}
        {moderated && !isOwn && (
          <CommunityRemovalItems
            community={community}
            author={username}
            onRemove={() => setOpenDialog("remove")}
            onBan={() => setOpenDialog("ban")}
          />
        )}
      </Menu>
      {openDialog === "remove" && (
        <CommunityRemovalDialog
          kind="comment"
          id={id}
          community={community}
          onRemoved={() => void queryClient.invalidateQueries({ queryKey: ["comments", post.id] })}
          onClose={() => setOpenDialog(null)}
        />
      )}
      {openDialog === "ban" && (
        <CommunityBanDialog
          community={community}
          username={username}
          displayName={authorName}
          onClose={() => setOpenDialog(null)}
        />
      )}
      <DeleteComment id={id} open={openDialog === "delete"} onClose={() => setOpenDialog(null)} />
      {openDialog === "mute" && (
        <MuteDialog
          platform="native"
          author={username}
          displayName={authorName}
          onClose={() => setOpenDialog(null)}
        />
      )}
      {openDialog === "report" && (
        <ReportDialog
          target={{ commentId: id }}
          community={nativeCommunity(post)}
          onClose={() => setOpenDialog(null)}
        />
      )}
    </>
  );
}

function DeleteComment({ id, open, onClose }: { id: number; open: boolean; onClose(): void }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const { post } = useThread();
  const remove = useAction((api) => api.deleteComment({ id }), {
    onSuccess: () => {
      onClose();
      changePost(queryClient, post.id, (now) => ({ ...now, commentCount: now.commentCount - 1 }));
      // Whether a placeholder stays, and whether deleted parents disappear too, is decided by the server.
      void queryClient.invalidateQueries({ queryKey: ["comments", post.id] });
    },
  });
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
      busy={remove.isPending}
      title={t("thread.deleteTitle")}
      description={t("thread.deleteDescription")}
      action={t("common.delete")}
    />
  );
}

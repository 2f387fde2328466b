import type { Post } from "@tandem/contract/post-resources";
import type { User } from "@tandem/contract/resources";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import {
  Ban,
  Check,
  EyeOff,
  Flag,
  FolderPlus,
  Link2,
  MessageSquareOff,
  MessageSquareQuote,
  Pencil,
  Pin,
  PinOff,
  Share2,
  Trash2,
  Unlink,
  VolumeX,
} from "lucide-react";
import { type ComponentType, startTransition, useState } from "react";
import { creatorQuery } from "../data/creators.ts";
import { useMe } from "../data/me.ts";
import { changePost, removePost } from "../data/posts.ts";
import { useToasts } from "../data/toasts.ts";
import { useAction } from "../data/use-action.ts";
import { useText } from "../i18n/use-text.tsx";
import { useNavigate } from "../router/provider.tsx";
import { editAddress, postAddress, verifyAddress } from "../shared/addresses.ts";
import { useApp } from "../shared/context.ts";
import { fullName, handleOf } from "../shared/full-name.ts";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { useBaseUrl } from "../ui/use-base-url.ts";
import { BlockDialog } from "./block-dialog.tsx";
import { cardOf, focusNeighbor } from "./card-navigation.ts";
import CollectionDialog from "./collection-dialog.tsx";
import {
  CommunityBanDialog,
  CommunityPinItem,
  CommunityRemovalDialog,
  CommunityRemovalItems,
  nativeCommunity,
  useModerated,
} from "./community-moderation.tsx";
import { MenuTrigger } from "./menu-trigger.tsx";
import { MuteDialog } from "./mute-dialog.tsx";
import { ReportDialog } from "./report-dialog.tsx";
import { useDismiss } from "./use-dismiss.ts";
import { useShare } from "./use-share.ts";

type OpenDialog = null | "collection" | "report" | "delete" | "mute" | "block" | "remove" | "ban";

/** A post's menu. Its items depend on the author and the reader. */
export default function PostMenu({ post, onRemoved }: { post: Post; onRemoved?: (() => void) | undefined }) {
  const { t } = useText();
  const [openDialog, setDialog] = useState<OpenDialog>(null);
  // In a frame after the one that closes the menu, which the reader sees sooner.
  const setOpenDialog = (dialog: OpenDialog) => startTransition(() => setDialog(dialog));
  const me = useMe();
  const baseUrl = useBaseUrl();
  const { show } = useToasts();
  const { share, copy } = useShare(post);
  const dismiss = useDismiss(post.id);
  const navigate = useNavigate();
  const isOwnPost = isOwn(post, me);
  const moderated = useModerated(post);
  const community = moderated?.community.name ?? "";
  const goTo = (to: string, search = {}) => void navigate({ to, search });
  return (
    <>
      <Menu button={<MenuTrigger />} defaultOpen>
        <PostMenuItem icon={Share2} onSelect={share}>
          {t("card.share")}
        </PostMenuItem>
        <PostMenuItem icon={Link2} onSelect={copy}>
          {t("card.copy")}
        </PostMenuItem>
        <PostMenuItem
          icon={Check}
          onSelect={() => goTo(verifyAddress, { url: `${baseUrl}${postAddress(post.id)}` })}
        >
          {t("card.receipt")}
        </PostMenuItem>
        {me && (
          <PostMenuItem icon={FolderPlus} onSelect={() => setOpenDialog("collection")}>
            {t("card.addToCollection")}
          </PostMenuItem>
        )}
        {isOwnPost && (
          <>
            <PinItem post={post} />
            <QuotePolicyItem post={post} />
            <PostMenuItem icon={Pencil} onSelect={() => goTo(editAddress(post.id))}>
              {t("common.edit")}
            </PostMenuItem>
            <PostMenuItem icon={Trash2} danger onSelect={() => setOpenDialog("delete")}>
              {t("common.delete")}
            </PostMenuItem>
          </>
        )}
        {!isOwnPost && post.quote && isOwn(post.quote, me) && (
          <DetachItem quotingId={post.id} id={post.quote.id} />
        )}
        {me && !isOwnPost && (
          <PostMenuItem icon={EyeOff} onSelect={dismiss}>
            {t("card.dismiss")}
          </PostMenuItem>
        )}
        {!isOwnPost && me?.role !== "agent" && (
          <PostMenuItem
            icon={Flag}
            onSelect={() => (me ? setOpenDialog("report") : goTo("/login", { next: postAddress(post.id) }))}
          >
            {t("card.report")}
          </PostMenuItem>
        )}
        {me && !isOwnPost && (
          <PostMenuItem icon={VolumeX} onSelect={() => setOpenDialog("mute")}>
            {t("card.mute", { name: handleOf(post) })}
          </PostMenuItem>
        )}
        {canBlock(post, me) && (
          <PostMenuItem icon={Ban} danger onSelect={() => setOpenDialog("block")}>
            {t("card.block", { name: post.author })}
          </PostMenuItem>
        )}
        {moderated && <CommunityPinItem id={post.id} moderated={moderated} />}
        {moderated && !isOwnPost && (
          <CommunityRemovalItems
            community={community}
            author={post.author}
            onRemove={() => setOpenDialog("remove")}
            onBan={() => setOpenDialog("ban")}
          />
        )}
      </Menu>
      {openDialog === "collection" && <CollectionDialog id={post.id} onClose={() => setOpenDialog(null)} />}
      {openDialog === "remove" && (
        <CommunityRemovalDialog
          kind="post"
          id={post.id}
          community={community}
          onRemoved={onRemoved}
          onClose={() => setOpenDialog(null)}
        />
      )}
      {openDialog === "ban" && (
        <CommunityBanDialog
          community={community}
          username={post.author}
          displayName={post.authorName}
          onClose={() => setOpenDialog(null)}
        />
      )}
      {openDialog === "report" && (
        <ReportDialog
          target={{ postId: post.id }}
          community={nativeCommunity(post)}
          onClose={() => setOpenDialog(null)}
        />
      )}
      <DeleteDialog
        post={post}
        onRemoved={onRemoved}
        open={openDialog === "delete"}
        onClose={() => setOpenDialog(null)}
      />
      {openDialog === "mute" && (
        <MuteDialog
          platform={post.platform}
          author={post.author}
          displayName={post.authorName}
          onMuted={() => focusNeighbor(cardOf(post.id))}
          onClose={() => setOpenDialog(null)}
        />
      )}
      {openDialog === "block" && (
        <BlockDialog
          username={post.author}
          displayName={post.authorName}
          isAgent={post.authorIsAgent}
          onBlocked={() => {
            show(t("card.blocked", { name: fullName(post.author, post.authorName) }));
            onRemoved?.();
          }}
          onClose={() => setOpenDialog(null)}
        />
      )}
    </>
  );
}

const isOwn = ({ platform, author }: Pick<Post, "platform" | "author">, me: User | null) =>
  platform === "native" && me?.username === author;

/** People can block local accounts; imported authors have none. */
const canBlock = (post: Post, me: User | null) =>
  me !== null && me.role !== "agent" && post.platform === "native" && !isOwn(post, me);

function PostMenuItem({
  icon: Icon,
  children,
  ...rest
}: {
  icon: ComponentType<{ className?: string; "aria-hidden"?: "true" }>;
  danger?: boolean;
  onSelect(): void;
  children: string;
}) {
  return (
    <MenuItem icon={<Icon className="size-4.5 shrink-0" aria-hidden="true" />} {...rest}>
      <span className="theirs">{children}</span>
    </MenuItem>
  );
}

/** Pins the reader's own post to their profile, or unpins it. */
function PinItem({ post: { id, platform, author } }: { post: Post }) {
  const { t } = useText();
  const { show } = useToasts();
  const { api } = useApp();
  const queryClient = useQueryClient();
  const profile = creatorQuery(api, { platform, author });
  const { data: creator } = useQuery(profile);
  const isPinned = creator?.pinnedPostId === id;
  const change = useAction((api) => (isPinned ? api.unpinPost({ id }) : api.pinPost({ id })), {
    onSuccess: ({ pinned }) => {
      show(t(pinned ? "card.pinned" : "card.unpinned"));
      return queryClient.invalidateQueries({ queryKey: profile.queryKey });
    },
  });
  return (
    <PostMenuItem icon={isPinned ? PinOff : Pin} onSelect={() => change.mutate()}>
      {t(isPinned ? "card.unpin" : "card.pin")}
    </PostMenuItem>
  );
}

/** Lets others quote the reader's post, or not, which also takes it out of those that quote it already. */
function QuotePolicyItem({ post: { id, quotePolicy } }: { post: Post }) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const isClosed = quotePolicy === "nobody";
  const change = useAction((api) => api.editPost({ id, quotePolicy: isClosed ? "anyone" : "nobody" }), {
    onSuccess: ({ post }) => {
      changePost(queryClient, id, () => post);
      show(t(isClosed ? "card.quotesAllowed" : "card.quotesForbidden"));
    },
  });
  return (
    <PostMenuItem icon={isClosed ? MessageSquareQuote : MessageSquareOff} onSelect={() => change.mutate()}>
      {t(isClosed ? "card.allowQuotes" : "card.forbidQuotes")}
    </PostMenuItem>
  );
}

/** Takes the reader's post out of one that quotes it. */
function DetachItem({ id, quotingId }: { id: number; quotingId: number }) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const detach = useAction((api) => api.detachQuote({ id, quotingId }), {
    onSuccess: () => {
      changePost(queryClient, quotingId, (post) => ({ ...post, quote: null }));
      show(t("card.detached"));
    },
  });
  return (
    <PostMenuItem icon={Unlink} onSelect={() => detach.mutate()}>
      {t("card.detach")}
    </PostMenuItem>
  );
}

interface DialogProps {
  post: Post;
  onRemoved: (() => void) | undefined;
  open: boolean;
  onClose(): void;
}

function DeleteDialog({ post: { id }, onRemoved, open, onClose }: DialogProps) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const remove = useAction((api) => api.deletePost({ id }), {
    onSuccess: () => {
      onClose();
      focusNeighbor(cardOf(id));
      removePost(queryClient, id);
      show(t("card.deleted"));
      onRemoved?.();
    },
  });
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
      busy={remove.isPending}
      title={t("card.deleteTitle")}
      description={t("card.deleteDescription")}
      action={t("common.delete")}
    />
  );
}

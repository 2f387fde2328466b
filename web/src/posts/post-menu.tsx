import type { Post, User } from "@tandem/contract/resources";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Ban, EyeOff, Flag, Link2, Pencil, Share2, Trash2 } from "lucide-react";
import { type ComponentType, useState } from "react";
import { useMe } from "../data/me.ts";
import { applyBlock } from "../data/people.ts";
import { removePost } from "../data/posts.ts";
import { useToasts } from "../data/toasts.ts";
import { useAction } from "../data/use-action.ts";
import { useText } from "../i18n/use-text.tsx";
import { editAddress, postAddress } from "../shared/addresses.ts";
import { Confirm } from "../ui/dialog.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { Dots } from "./menu-trigger.tsx";
import { Report } from "./report-dialog.tsx";
import { useDismiss } from "./use-dismiss.ts";
import { useShare } from "./use-share.ts";

type Asking = null | "report" | "delete" | "block";

/** What else one can do with a post: what is offered depends on whose it is, and on who asks. */
export default function PostMenu({ post, onGone }: { post: Post; onGone?: (() => void) | undefined }) {
  const { t } = useText();
  const [asking, setAsking] = useState<Asking>(null);
  const me = useMe();
  const { share, copy } = useShare(post);
  const dismiss = useDismiss(post.id);
  const navigate = useNavigate();
  const own = isOwn(post, me);
  const go = (to: string, search = {}) => void navigate({ to, search });
  return (
    <>
      <Menu button={<Dots />} defaultOpen>
        <Item icon={Share2} onSelect={share}>
          {t("card.share")}
        </Item>
        <Item icon={Link2} onSelect={copy}>
          {t("card.copy")}
        </Item>
        {own && (
          <>
            <Item icon={Pencil} onSelect={() => go(editAddress(post.id))}>
              {t("common.edit")}
            </Item>
            <Item icon={Trash2} danger onSelect={() => setAsking("delete")}>
              {t("common.delete")}
            </Item>
          </>
        )}
        {me && !own && (
          <Item icon={EyeOff} onSelect={dismiss}>
            {t("card.dismiss")}
          </Item>
        )}
        {!own && me?.role !== "agent" && (
          <Item
            icon={Flag}
            onSelect={() => (me ? setAsking("report") : go("/login", { next: postAddress(post.id) }))}
          >
            {t("card.report")}
          </Item>
        )}
        {canBlock(post, me) && (
          <Item icon={Ban} danger onSelect={() => setAsking("block")}>
            {t("card.block", { name: post.author })}
          </Item>
        )}
      </Menu>
      {asking === "report" && <Report target={{ postId: post.id }} onClose={() => setAsking(null)} />}
      <Delete post={post} onGone={onGone} open={asking === "delete"} onClose={() => setAsking(null)} />
      <Block post={post} onGone={onGone} open={asking === "block"} onClose={() => setAsking(null)} />
    </>
  );
}

const isOwn = ({ platform, author }: Post, me: User | null) =>
  platform === "native" && me?.username === author;

/** Accounts here, by people: who writes elsewhere can't be kept from anything. */
const canBlock = (post: Post, me: User | null) =>
  me !== null && me.role !== "agent" && post.platform === "native" && !isOwn(post, me);

function Item({
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

interface Asked {
  post: Post;
  onGone: (() => void) | undefined;
  open: boolean;
  onClose(): void;
}

function Delete({ post: { id }, onGone, open, onClose }: Asked) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const remove = useAction((api) => api.deletePost({ id }), {
    onSuccess: () => {
      onClose();
      removePost(queryClient, id);
      show(t("card.deleted"));
      onGone?.();
    },
  });
  return (
    <Confirm
      open={open}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
      busy={remove.isPending}
      title={t("card.deleteAsk")}
      says={t("card.deleteSays")}
      action={t("common.delete")}
    />
  );
}

function Block({ post, onGone, open, onClose }: Asked) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const name = post.author;
  const block = useAction((api) => api.block({ username: name }), {
    onSuccess: () => {
      onClose();
      applyBlock(queryClient, name, true);
      show(t("card.blocked", { name }));
      onGone?.();
    },
  });
  return (
    <Confirm
      open={open}
      onClose={onClose}
      onConfirm={() => block.mutate()}
      busy={block.isPending}
      title={t("card.blockAsk", { name })}
      says={t("card.blockSays")}
      action={t("card.block", { name })}
    />
  );
}

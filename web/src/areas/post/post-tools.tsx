import type { Post } from "@tandem/contract/resources";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Ellipsis, Pencil, Share2, Trash2 } from "lucide-react";
import { useState } from "react";
import { editAddress, postAddress } from "../../addresses.ts";
import { useAction } from "../../data/actions.ts";
import { useApp } from "../../data/context.ts";
import { useMe } from "../../data/me.ts";
import { removePost } from "../../data/posts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { useToasts } from "../../ui/toast.tsx";
import { useCopy } from "./copy.ts";
import { nameOf } from "./post-head.ts";

/** What one does with a post as a whole: pass it on; and, if it is one's own, change it or take it away. */
export function PostTools({ post }: { post: Post }) {
  const me = useMe();
  const own = post.platform === "native" && me?.username === post.author;
  return (
    <div className="-me-2 -mt-1 flex shrink-0">
      <Share post={post} />
      {own && <Own post={post} />}
    </div>
  );
}

function Share({ post }: { post: Post }) {
  const { t } = useText();
  const { baseUrl } = useApp();
  const copy = useCopy();
  const url = baseUrl + postAddress(post.id);
  const share = () => {
    if (navigator.share) void navigator.share({ title: nameOf(post), url }).catch(() => {});
    else copy(url);
  };
  return (
    <IconButton label={t("thread.share")} onClick={share}>
      <Share2 className="size-4.5" aria-hidden="true" />
    </IconButton>
  );
}

function Own({ post }: { post: Post }) {
  const { t } = useText();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Menu
        button={
          <IconButton label={t("thread.morePost")}>
            <Ellipsis className="size-4.5" aria-hidden="true" />
          </IconButton>
        }
      >
        <MenuItem
          icon={<Pencil className="size-4" aria-hidden="true" />}
          onSelect={() => void navigate({ to: editAddress(post.id) })}
        >
          {t("common.edit")}
        </MenuItem>
        <MenuItem
          danger
          icon={<Trash2 className="size-4" aria-hidden="true" />}
          onSelect={() => setAsking(true)}
        >
          {t("common.delete")}
        </MenuItem>
      </Menu>
      <DeletePost id={post.id} open={asking} onClose={() => setAsking(false)} />
    </>
  );
}

function DeletePost({ id, open, onClose }: { id: number; open: boolean; onClose(): void }) {
  const { t } = useText();
  const { tell } = useToasts();
  const navigate = useNavigate();
  const data = useQueryClient();
  const remove = useAction((api) => api.deletePost({ id }), {
    after: async () => {
      removePost(data, id);
      tell(t("thread.postDeleted"));
      await navigate({ to: "/" });
      data.removeQueries({ queryKey: ["posts", "one", id] });
    },
  });
  return (
    <Confirm
      open={open}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
      busy={remove.isPending}
      title={t("thread.deletePostTitle")}
      says={t("thread.deletePostSays")}
      action={t("common.delete")}
    />
  );
}

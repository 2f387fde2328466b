import type { Comment } from "@tandem/contract/resources";
import { useQueryClient } from "@tanstack/react-query";
import { Ellipsis, Flag, Heart, Link2, MessageCircle, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { postAddress } from "../../addresses.ts";
import { useAction } from "../../data/actions.ts";
import { changeComment } from "../../data/comments.ts";
import { useApp } from "../../data/context.ts";
import { useMe } from "../../data/me.ts";
import { changePost } from "../../data/posts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Report } from "../../posts/report.tsx";
import { IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Link } from "../../ui/link.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { Count } from "../../ui/time.tsx";
import type { Doing } from "./comment.tsx";
import { useCopy } from "./copy.ts";
import { useThread } from "./thread-context.ts";

const look =
  "inline-flex min-h-10 min-w-10 items-center gap-1.5 rounded-full px-2.5 text-sm font-medium transition hover:bg-sunken sm:min-h-8";
const quiet = `${look} text-soft hover:text-ink`;

/** What a reader does with a comment. */
export function CommentActions({
  comment,
  doing,
  onDo,
}: {
  comment: Comment;
  doing: Doing;
  onDo(what: Doing): void;
}) {
  const { t } = useText();
  const { post } = useThread();
  const me = useMe();
  const icon = <MessageCircle className="size-4" aria-hidden="true" />;
  return (
    <div className="-ms-2.5 flex items-center gap-0.5">
      <LikeButton comment={comment} />
      {me ? (
        <button
          type="button"
          className={quiet}
          aria-expanded={doing === "replying"}
          onClick={() => onDo(doing === "replying" ? "nothing" : "replying")}
        >
          {icon}
          {t("thread.reply")}
        </button>
      ) : (
        <Link to="/login" search={{ next: postAddress(post.id) }} className={quiet}>
          {icon}
          {t("thread.reply")}
        </Link>
      )}
      <More comment={comment} onEdit={() => onDo("editing")} />
    </div>
  );
}

function LikeButton({ comment: { id, liked, likeCount, aiLikeCount } }: { comment: Comment }) {
  const { t } = useText();
  const data = useQueryClient();
  const me = useMe();
  const { post } = useThread();
  const like = useAction((api, now: boolean) => (now ? api.likeComment({ id }) : api.unlikeComment({ id })), {
    before: (now) =>
      changeComment(data, post.id, id, (comment) => ({
        ...comment,
        liked: now,
        likeCount: comment.likeCount + (now ? 1 : -1),
      })),
    after: (answer) => changeComment(data, post.id, id, (comment) => ({ ...comment, ...answer })),
  });
  const counts = t("post.likes", { count: likeCount, ai: aiLikeCount });
  const shown = (
    <>
      <Heart className={`size-4 ${liked ? "fill-current" : ""}`} aria-hidden="true" />
      {likeCount > 0 && (
        <span aria-hidden="true">
          <Count value={likeCount} />
        </span>
      )}
    </>
  );
  if (!me)
    return (
      <Link to="/login" search={{ next: postAddress(post.id) }} className={quiet} aria-label={counts}>
        {shown}
      </Link>
    );
  return (
    <button
      type="button"
      className={liked ? `${look} text-like` : quiet}
      aria-pressed={liked}
      aria-label={counts}
      title={counts}
      onClick={() => like.mutate(!liked)}
    >
      {shown}
    </button>
  );
}

/** What is done seldom. */
function More({ comment: { id, username }, onEdit }: { comment: Comment; onEdit(): void }) {
  const { t } = useText();
  const { baseUrl } = useApp();
  const { post } = useThread();
  const [asking, setAsking] = useState<"delete" | "report" | null>(null);
  const copy = useCopy();
  const me = useMe();
  const own = me?.username === username;
  return (
    <>
      <Menu
        button={
          <IconButton label={t("thread.more", { name: username })} className="sm:size-8">
            <Ellipsis className="size-4" aria-hidden="true" />
          </IconButton>
        }
      >
        <MenuItem
          icon={<Link2 className="size-4" aria-hidden="true" />}
          onSelect={() => copy(`${baseUrl}${postAddress(post.id)}#comment-${id}`)}
        >
          {t("thread.copyLink")}
        </MenuItem>
        {own && (
          <>
            <MenuItem icon={<Pencil className="size-4" aria-hidden="true" />} onSelect={onEdit}>
              {t("common.edit")}
            </MenuItem>
            <MenuItem
              danger
              icon={<Trash2 className="size-4" aria-hidden="true" />}
              onSelect={() => setAsking("delete")}
            >
              {t("common.delete")}
            </MenuItem>
          </>
        )}
        {me && !own && me.role !== "agent" && (
          <MenuItem
            icon={<Flag className="size-4" aria-hidden="true" />}
            onSelect={() => setAsking("report")}
          >
            {t("card.report")}
          </MenuItem>
        )}
      </Menu>
      <DeleteComment id={id} open={asking === "delete"} onClose={() => setAsking(null)} />
      {asking === "report" && <Report target={{ commentId: id }} onClose={() => setAsking(null)} />}
    </>
  );
}

function DeleteComment({ id, open, onClose }: { id: number; open: boolean; onClose(): void }) {
  const { t } = useText();
  const data = useQueryClient();
  const { post } = useThread();
  const remove = useAction((api) => api.deleteComment({ id }), {
    after: () => {
      onClose();
      changePost(data, post.id, (now) => ({ ...now, commentCount: now.commentCount - 1 }));
      // Whether its place stays, and whether those above it go as well, the service knows.
      void data.invalidateQueries({ queryKey: ["comments", post.id] });
    },
  });
  return (
    <Confirm
      open={open}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
      busy={remove.isPending}
      title={t("thread.deleteTitle")}
      says={t("thread.deleteSays")}
      action={t("common.delete")}
    />
  );
}

import type { Comment } from "@tandem/contract/post-resources";
import { useQueryClient } from "@tanstack/react-query";
import { Heart, MessageCircle } from "lucide-react";
import { type ComponentType, useState } from "react";
import { rememberForAfterLogin, useAfterLogin } from "../../data/after-login.ts";
import { changeComment } from "../../data/comments.ts";
import { useMe } from "../../data/me.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useLoadOnDemand } from "../../i18n/use-load-on-demand.ts";
import { useText } from "../../i18n/use-text.tsx";
import { postAddress } from "../../shared/addresses.ts";
import { fullName } from "../../shared/full-name.ts";
import { Link } from "../../ui/link.tsx";
import { Count } from "../../ui/time.tsx";
import type { CommentMode } from "./comment.tsx";
import { CommentMenuTrigger } from "./menu-trigger.tsx";
import { useThread } from "./thread-context.ts";

const actionClass =
  "inline-flex min-h-10 min-w-10 items-center gap-1.5 rounded-full px-2.5 text-sm font-medium transition hover:bg-sunken sm:min-h-8";
const inactiveClass = `${actionClass} text-soft hover:text-ink`;

/** A comment's buttons. */
export function CommentActions({
  comment,
  mode,
  onModeChange,
}: {
  comment: Comment;
  mode: CommentMode;
  onModeChange(what: CommentMode): void;
}) {
  const { t } = useText();
  const { post } = useThread();
  const me = useMe();
  const action = `reply to ${comment.id}`;
  useAfterLogin(action, () => onModeChange("replying"));
  const icon = <MessageCircle className="size-4" aria-hidden="true" />;
  return (
    <div className="-ms-2.5 flex items-center gap-0.5">
      <LikeButton comment={comment} />
      {me ? (
        <button
          type="button"
          className={inactiveClass}
          aria-expanded={mode === "replying"}
          onClick={() => onModeChange(mode === "replying" ? "nothing" : "replying")}
        >
          {icon}
          {t("thread.reply")}
        </button>
      ) : (
        <Link
          to="/login"
          search={{ next: postAddress(post.id) }}
          onClick={() => rememberForAfterLogin(action)}
          className={inactiveClass}
        >
          {icon}
          {t("thread.reply")}
        </Link>
      )}
      <CommentMenuButton comment={comment} onEdit={() => onModeChange("editing")} />
    </div>
  );
}

function LikeButton({ comment: { id, liked, likeCount, aiLikeCount } }: { comment: Comment }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const me = useMe();
  const { post } = useThread();
  const like = useAction((api, on: boolean) => (on ? api.likeComment({ id }) : api.unlikeComment({ id })), {
    optimistic: (on) =>
      changeComment(queryClient, post.id, id, (comment) => ({
        ...comment,
        liked: on,
        likeCount: comment.likeCount + (on ? 1 : -1),
      })),
    onSuccess: (response) =>
      changeComment(queryClient, post.id, id, (comment) => ({ ...comment, ...response })),
  });
  const action = `like comment ${id}`;
  useAfterLogin(action, () => like.mutate(true));
  const label = t("post.like", { count: likeCount, ai: aiLikeCount });
  const content = (
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
      <Link
        to="/login"
        search={{ next: postAddress(post.id) }}
        onClick={() => rememberForAfterLogin(action)}
        className={inactiveClass}
        aria-label={label}
      >
        {content}
      </Link>
    );
  return (
    <button
      type="button"
      className={liked ? `${actionClass} text-like` : inactiveClass}
      aria-pressed={liked}
      aria-label={label}
      title={label}
      onClick={() => like.mutate(!liked)}
    >
      {content}
    </button>
  );
}

interface CommentMenuProps {
  comment: Comment;
  onEdit(): void;
}

/** The menu's button. The menu is loaded on click or hover, because a page can have hundreds of comments. */
function CommentMenuButton(props: CommentMenuProps) {
  const { comment } = props;
  const [menu, setMenu] = useState<{ menu: ComponentType<CommentMenuProps> } | null>(null);
  const { t } = useText();
  const { showError } = useToasts();
  const loadOnDemand = useLoadOnDemand();
  const load = (
    onLoad: (module: { default: ComponentType<CommentMenuProps> }) => void,
    onError: () => void,
  ) => void loadOnDemand(() => import("./comment-menu.tsx")).then(onLoad, onError);
  const ignore = () => {};
  if (menu) return <menu.menu {...props} />;
  return (
    <CommentMenuTrigger
      name={fullName(comment.username, comment.authorName)}
      aria-haspopup="menu"
      onPointerEnter={() => load(ignore, ignore)}
      onClick={() =>
        load(
          (module) => setMenu({ menu: module.default }),
          () => showError(t("error.unreachable")),
        )
      }
    />
  );
}

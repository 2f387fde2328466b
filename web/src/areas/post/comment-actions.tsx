import type { Comment } from "@tandem/contract/resources";
import { useQueryClient } from "@tanstack/react-query";
import { Heart, MessageCircle } from "lucide-react";
import { type ComponentType, useState } from "react";
import { changeComment } from "../../data/comments.ts";
import { useMe } from "../../data/me.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useLoadOnDemand } from "../../i18n/use-load-on-demand.ts";
import { useText } from "../../i18n/use-text.tsx";
import { postAddress } from "../../shared/addresses.ts";
import { Link } from "../../ui/link.tsx";
import { Count } from "../../ui/time.tsx";
import type { Doing } from "./comment.tsx";
import { Dots } from "./menu-trigger.tsx";
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
  const queryClient = useQueryClient();
  const me = useMe();
  const { post } = useThread();
  const like = useAction((api, now: boolean) => (now ? api.likeComment({ id }) : api.unlikeComment({ id })), {
    optimistic: (now) =>
      changeComment(queryClient, post.id, id, (comment) => ({
        ...comment,
        liked: now,
        likeCount: comment.likeCount + (now ? 1 : -1),
      })),
    onSuccess: (answer) => changeComment(queryClient, post.id, id, (comment) => ({ ...comment, ...answer })),
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

interface Seldom {
  comment: Comment;
  onEdit(): void;
}

/** What is done seldom: its menu is loaded by the first press. A page of comments has hundreds of these. */
function More(props: Seldom) {
  const { comment } = props;
  const [Loaded, setLoaded] = useState<{ menu: ComponentType<Seldom> } | null>(null);
  const { t } = useText();
  const { showError } = useToasts();
  const pressed = useLoadOnDemand();
  const load = (then: (module: { default: ComponentType<Seldom> }) => void, or: () => void) =>
    void pressed(() => import("./comment-menu.tsx")).then(then, or);
  const nothing = () => {};
  if (Loaded) return <Loaded.menu {...props} />;
  return (
    <Dots
      name={comment.username}
      aria-haspopup="menu"
      onPointerEnter={() => load(nothing, nothing)}
      onClick={() =>
        load(
          (module) => setLoaded({ menu: module.default }),
          () => showError(t("error.unreachable")),
        )
      }
    />
  );
}

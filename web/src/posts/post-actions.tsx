import type { Post } from "@tandem/contract/post-resources";
import { useQueryClient } from "@tanstack/react-query";
import { Bookmark, Heart, MessageCircle, Share2 } from "lucide-react";
import { rememberForAfterLogin, useAfterLogin } from "../data/after-login.ts";
import { useMe } from "../data/me.ts";
import { changePost } from "../data/posts.ts";
import { useToasts } from "../data/toasts.ts";
import { useAction } from "../data/use-action.ts";
import { useLoadOnDemand } from "../i18n/use-load-on-demand.ts";
import { useText } from "../i18n/use-text.tsx";
import { postAddress } from "../shared/addresses.ts";
import { Link } from "../ui/link.tsx";
import { Count } from "../ui/time.tsx";
import { RepostButton } from "./repost-button.tsx";
import { useShare } from "./use-share.ts";

const actionClass =
  "inline-flex min-h-10 min-w-10 justify-center items-center gap-1.5 rounded-full px-2.5 text-sm font-medium transition hover:bg-sunken";
const inactiveClass = `${actionClass} text-soft hover:text-ink`;

/** A post's buttons. Likes and saves show immediately, and are rolled back on error. */
export function PostActions({ post }: { post: Post }) {
  const { t } = useText();
  return (
    <div className="-mx-2.5 flex items-center gap-1">
      <LikeButton post={post} />
      <Link
        to={postAddress(post.id)}
        className={inactiveClass}
        aria-label={t("post.comments", { count: post.commentCount })}
      >
        <MessageCircle className="size-4.5" aria-hidden="true" />
        <span aria-hidden="true">
          <Count value={post.commentCount} />
        </span>
      </Link>
      <RepostButton post={post} className={inactiveClass} />
      <ShareButton post={post} />
      <SaveButton post={post} />
    </div>
  );
}

function LikeButton({ post: { id, liked, likeCount, aiLikeCount } }: { post: Post }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const like = useAction((api, on: boolean) => (on ? api.likePost({ id }) : api.unlikePost({ id })), {
    optimistic: (on) =>
      changePost(queryClient, id, (post) => ({
        ...post,
        liked: on,
        likeCount: post.likeCount + (on ? 1 : -1),
      })),
    onSuccess: (response) => changePost(queryClient, id, (post) => ({ ...post, ...response })),
  });
  const me = useMe();
  const action = `like post ${id}`;
  useAfterLogin(action, () => like.mutate(true));
  const label = t("post.like", { count: likeCount, ai: aiLikeCount });
  if (!me)
    return (
      <Link
        to="/login"
        search={{ next: postAddress(id) }}
        data-act="like"
        onClick={() => rememberForAfterLogin(action)}
        className={inactiveClass}
        aria-label={label}
        title={label}
      >
        <Heart className="size-4.5" aria-hidden="true" />
        <span aria-hidden="true">
          <Count value={likeCount} />
        </span>
      </Link>
    );
  return (
    <button
      type="button"
      data-act="like"
      className={liked ? `${actionClass} text-like` : inactiveClass}
      aria-pressed={liked}
      aria-label={label}
      title={label}
      onClick={() => like.mutate(!liked)}
    >
      <Heart className={`size-4.5 ${liked ? "fill-current" : ""}`} aria-hidden="true" />
      <span aria-hidden="true">
        <Count value={likeCount} />
      </span>
    </button>
  );
}

function ShareButton({ post }: { post: Post }) {
  const { t } = useText();
  const { share } = useShare(post);
  return (
    <button
      type="button"
      className={inactiveClass}
      aria-label={t("card.share")}
      title={t("card.share")}
      onClick={share}
    >
      <Share2 className="size-4.5" aria-hidden="true" />
    </button>
  );
}

function SaveButton({ post: { id, saved } }: { post: Post }) {
  const { t } = useText();
  const { offer } = useToasts();
  const loadOnDemand = useLoadOnDemand();
  const me = useMe();
  const queryClient = useQueryClient();
  const save = useAction((api, on: boolean) => (on ? api.savePost({ id }) : api.unsavePost({ id })), {
    optimistic: (on) => changePost(queryClient, id, (post) => ({ ...post, saved: on })),
    onSuccess: (_response, on) =>
      void loadOnDemand(() => import("./after-save.tsx")).then(
        ({ afterSave }) => afterSave(id, on, { offer, t, queryClient }),
        () => {},
      ),
  });
  const action = `save post ${id}`;
  useAfterLogin(action, () => save.mutate(true));
  const label = t("post.save");
  if (!me)
    return (
      <Link
        to="/login"
        search={{ next: postAddress(id) }}
        data-act="save"
        onClick={() => rememberForAfterLogin(action)}
        className={`ms-auto ${inactiveClass}`}
        aria-label={label}
        title={label}
      >
        <Bookmark className="size-4.5" aria-hidden="true" />
      </Link>
    );
  return (
    <button
      type="button"
      data-act="save"
      className={`ms-auto ${saved ? `${actionClass} text-accent` : inactiveClass}`}
      aria-pressed={saved}
      aria-label={label}
      title={label}
      onClick={() => save.mutate(!saved)}
    >
      <Bookmark className={`size-4.5 ${saved ? "fill-current" : ""}`} aria-hidden="true" />
    </button>
  );
}

import type { Post } from "@tandem/contract/post-resources";
import { useQueryClient } from "@tanstack/react-query";
import { Bookmark, Heart, MessageCircle, Share2 } from "lucide-react";
import type { ReactNode } from "react";
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
  return (
    <MemberButton
      act="like"
      id={id}
      isOn={liked}
      activeClass="text-like"
      label={t("post.like", { count: likeCount, ai: aiLikeCount })}
      onToggle={like.mutate}
    >
      <Heart className={`size-4.5 ${liked ? "fill-current" : ""}`} aria-hidden="true" />
      <span aria-hidden="true">
        <Count value={likeCount} />
      </span>
    </MemberButton>
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
  const queryClient = useQueryClient();
  const save = useAction((api, on: boolean) => (on ? api.savePost({ id }) : api.unsavePost({ id })), {
    optimistic: (on) => changePost(queryClient, id, (post) => ({ ...post, saved: on })),
    onSuccess: (_response, on) =>
      void loadOnDemand(() => import("./after-save.tsx")).then(
        ({ afterSave }) => afterSave(id, on, { offer, t, queryClient }),
        () => {},
      ),
  });
  return (
    <MemberButton
      act="save"
      id={id}
      isOn={saved}
      activeClass="text-accent"
      className="ms-auto"
      label={t("post.save")}
      onToggle={save.mutate}
    >
      <Bookmark className={`size-4.5 ${saved ? "fill-current" : ""}`} aria-hidden="true" />
    </MemberButton>
  );
}

/** A button that switches something on or off for members. Visitors log in first, which then switches it on. */
function MemberButton({
  act,
  id,
  isOn,
  label,
  activeClass,
  className = "",
  onToggle,
  children,
}: {
  act: "like" | "save";
  id: number;
  isOn: boolean;
  label: string;
  activeClass: string;
  className?: string;
  onToggle(on: boolean): void;
  children: ReactNode;
}) {
  const me = useMe();
  const action = `${act} post ${id}`;
  useAfterLogin(action, () => onToggle(true));
  const shared = {
    "data-act": act,
    className: `${className} ${isOn ? `${actionClass} ${activeClass}` : inactiveClass}`,
    "aria-label": label,
    title: label,
    children,
  };
  if (!me)
    return (
      <Link
        {...shared}
        to="/login"
        search={{ next: postAddress(id) }}
        onClick={() => rememberForAfterLogin(action)}
      />
    );
  return <button {...shared} type="button" aria-pressed={isOn} onClick={() => onToggle(!isOn)} />;
}

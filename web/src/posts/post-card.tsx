import type { Post } from "@tandem/contract/post-resources";
import { Bot } from "lucide-react";
import { memo, useId, useRef, useState } from "react";
import { useAiPosts } from "../data/preferences.ts";
import { useText } from "../i18n/use-text.tsx";
import { creatorAddress, postAddress, postVersionsAddress } from "../shared/addresses.ts";
import { Button } from "../ui/button.tsx";
import { Link, OutboundLink } from "../ui/link.tsx";
import { ProvenanceBadge } from "../ui/provenance-badge.tsx";
import { Time } from "../ui/time.tsx";
import { AuthorAvatar } from "./author-avatar.tsx";
import { EditedLink } from "./edited-link.tsx";
import { OriginLink } from "./origin-link.tsx";
import { PostActions } from "./post-actions.tsx";
import { originalOf } from "./post-links.ts";
import { PostMedia } from "./post-media.tsx";
import { PostMenuButton } from "./post-menu-button.tsx";
import { PostProducts } from "./post-products.tsx";
import { StoryButton } from "./story-button.tsx";

/** A post in a list; `position` counts from 1. */
export const PostCard = memo(function PostCard({ post, position }: { post: Post; position?: number }) {
  const [ai] = useAiPosts();
  const [isExpanded, setExpanded] = useState(false);
  const card = useRef<HTMLElement>(null);
  const isCollapsed = ai === "dim" && post.provenance === "ai_generated" && !isExpanded;
  const title = useId();
  const expand = () => {
    setExpanded(true);
    card.current?.focus();
  };
  return (
    <article
      ref={card}
      tabIndex={-1}
      data-post={post.id}
      aria-labelledby={title}
      {...(position !== undefined && { "aria-posinset": position, "aria-setsize": -1 })}
      className={`scroll-mt-16 rail:scroll-mt-4 max-sm:rounded-none max-sm:border-x-0 ${isCollapsed ? "rounded-card border border-dashed px-4 py-2.5" : "card flex flex-col gap-3 p-4 pb-2"}`}
    >
      {isCollapsed ? (
        <CollapsedPost post={post} titleId={title} onExpand={expand} />
      ) : (
        <FullPost post={post} titleId={title} />
      )}
    </article>
  );
});

/** Extends a link over its container, so that clicking the text opens the post. */
const coverClass = "after:absolute after:inset-0 after:content-['']";

function FullPost({ post, titleId }: { post: Post; titleId: string }) {
  const { body } = post;
  return (
    <>
      <div className="flex items-start gap-1">
        <div className="min-w-0 flex-1">
          <Byline post={post} />
        </div>
        <PostMenuButton post={post} />
      </div>
      <div className="relative flex flex-col gap-1">
        <h2 id={titleId} className="theirs text-lg leading-snug font-semibold">
          <Link to={postAddress(post.id)} data-act="open" className={`hover:underline ${coverClass}`}>
            <Title post={post} />
          </Link>
        </h2>
        {body && post.title && <p className="theirs line-clamp-5 whitespace-pre-line text-soft">{body}</p>}
      </div>
      <PostMedia post={post} />
      <PostProducts products={post.products} />
      {post.storyCount > 1 && <StoryButton post={post} />}
      <div>
        <OriginLink post={post} ifUnknown="nothing" />
        <PostActions post={post} />
      </div>
    </>
  );
}

/** An AI-generated post, collapsed to one line because the reader prefers that. */
function CollapsedPost({ post, titleId, onExpand }: { post: Post; titleId: string; onExpand(): void }) {
  const { t } = useText();
  const { author } = post;
  return (
    <div className="flex items-center gap-3">
      <AuthorAvatar post={post} size="small" />
      <div className="min-w-0 flex-1">
        <h2 id={titleId} className="theirs line-clamp-1 text-sm font-medium text-soft">
          <Link to={postAddress(post.id)} data-act="open" className="hover:underline">
            <Title post={post} />
          </Link>
        </h2>
        <p className="flex items-center gap-2 text-xs text-soft">
          <span className="theirs line-clamp-1">{author}</span>
          <ProvenanceBadge {...post} short />
        </p>
      </div>
      <Button variant="quiet" size="small" className="min-h-10" title={t("card.dimmed")} onClick={onExpand}>
        {t("card.open")}
      </Button>
    </div>
  );
}

/** The title, or the beginning of the body. */
function Title({ post: { title, body, author } }: { post: Post }) {
  const { t } = useText();
  if (title) return title;
  if (!body) return t("card.untitled", { author });
  return <span className="theirs line-clamp-6 font-normal whitespace-pre-line">{body}</span>;
}

/** Who posted, where, when, and how much AI was involved. */
export function Byline({ post }: { post: Post }) {
  const { t } = useText();
  const { author, authorIsAgent } = post;
  return (
    <div className="flex items-start gap-3">
      <AuthorAvatar post={post} />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <Link
            to={creatorAddress(post)}
            className="theirs inline-block min-h-6 max-w-full truncate font-semibold hover:underline"
          >
            {author}
          </Link>
          {authorIsAgent && (
            <span className="inline-flex items-center gap-1 text-xs font-semibold text-agent">
              <Bot className="size-3.5" aria-hidden="true" />
              {t("card.agent")}
            </span>
          )}
          <ProvenanceBadge {...post} />
        </div>
        <PostOrigin post={post} />
      </div>
    </div>
  );
}

function PostOrigin({ post }: { post: Post }) {
  const { t } = useText();
  const { id, platform, community, postedAt, editedAt } = post;
  const original = originalOf(post);
  const source = t(`platform.${platform}`);
  return (
    <p className="text-sm wrap-anywhere text-soft">
      <Time at={postedAt} />
      {editedAt !== null && <EditedLink to={postVersionsAddress(id)} />}
      {community !== null && (
        <>
          {" · "}
          <Link to="/" search={{ platform, community }} className="theirs hover:underline">
            {community}
          </Link>
        </>
      )}
      {platform !== "native" && " · "}
      {original ? (
        <OutboundLink href={original} title={t("card.originalAt", { source })} className="hover:underline">
          {source}
          <span aria-hidden="true"> ↗</span>
        </OutboundLink>
      ) : (
        platform !== "native" && source
      )}
    </p>
  );
}

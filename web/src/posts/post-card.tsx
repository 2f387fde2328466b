import type { Post, Reposter } from "@tandem/contract/post-resources";
import { Repeat2 } from "lucide-react";
import { type ComponentProps, memo, useId, useRef, useState } from "react";
import { useAiPosts } from "../data/preferences.ts";
import { RichText } from "../i18n/rich-text.tsx";
import { useText } from "../i18n/use-text.tsx";
import { postAddress } from "../shared/addresses.ts";
import { AgentBadge } from "../ui/agent-badge.tsx";
import { Button } from "../ui/button.tsx";
import { AccountLink, AccountName } from "../ui/byline.tsx";
import { Link } from "../ui/link.tsx";
import { ProvenanceBadge } from "../ui/provenance-badge.tsx";
import { AuthorAvatar } from "./author-avatar.tsx";
import { BehindWarning } from "./content-warning.tsx";
import { OriginLink } from "./origin-link.tsx";
import { PostActions } from "./post-actions.tsx";
import { PostByline } from "./post-byline.tsx";
import { PostMedia } from "./post-media.tsx";
import { PostMenuButton } from "./post-menu-button.tsx";
import { usePostName } from "./post-name.ts";
import { PostPoll } from "./post-poll.tsx";
import { PostProducts } from "./post-products.tsx";
import { PostExcerpt, PostText } from "./post-text.tsx";
import { PostQuote } from "./quote-card.tsx";
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
      className={`scroll-mt-2 ${isCollapsed ? "rounded-card border border-dashed px-4 py-2.5 max-sm:rounded-none max-sm:border-x-0" : "card-flush relative isolate flex flex-col gap-3 p-4 pb-2"}`}
    >
      {isCollapsed ? (
        <CollapsedPost post={post} titleId={title} onExpand={expand} />
      ) : (
        <FullPost post={post} titleId={title} />
      )}
    </article>
  );
});

function FullPost({ post, titleId }: { post: Post; titleId: string }) {
  return (
    <>
      {post.repostedBy && <RepostedBy by={post.repostedBy} />}
      {post.followedTag && <FollowedTag tag={`#${post.followedTag}`} />}
      <div className="flex items-center gap-1">
        <PostByline post={post} />
        <PostMenuButton post={post} />
      </div>
      <PostText post={post} titleId={titleId} />
      <BehindWarning post={post}>
        {post.contentWarning !== undefined && <PostExcerpt post={post} />}
        <PostMedia post={post} />
        <PostPoll post={post} />
        <PostQuote post={post} />
      </BehindWarning>
      <PostProducts products={post.products} />
      {post.storyCount > 1 && <StoryButton post={post} />}
      <div>
        <OriginLink post={post} ifUnknown="nothing" />
        <PostActions post={post} />
      </div>
    </>
  );
}

/** Who showed the post to their followers, and so to the reader. */
function RepostedBy({ by: { username, displayName, isAgent, byAi } }: { by: Reposter }) {
  const account = { platform: "native", author: username, authorName: displayName ?? undefined } as const;
  return (
    <p className={reasonClass}>
      <Repeat2 className="size-4 shrink-0" aria-hidden="true" />
      <span className="inline-flex min-w-0 items-center gap-1">
        <RichText
          text="card.repostedBy"
          values={{ name: "" }}
          parts={{ b: <AccountLink account={account} /> }}
        />
      </span>
      {isAgent ? (
        <AgentBadge />
      ) : (
        byAi && <ProvenanceBadge provenance="ai_generated" provenanceBasis="stamped" short />
      )}
    </p>
  );
}

/** The hashtag that the reader follows, which is why the post is in their feed. */
const FollowedTag = ({ tag: q }: { tag: string }) => (
  <p className={reasonClass}>
    <ReasonLink to="/search" search={{ q }}>
      {q}
    </ReasonLink>
  </p>
);

const reasonClass = "-mb-1 flex min-w-0 items-center gap-1.5 text-sm text-soft";

const ReasonLink = (props: ComponentProps<typeof Link>) => (
  <Link {...props} className="theirs-line inline-block min-h-6 font-semibold hover:underline" />
);

/** An AI-generated post, collapsed to one line because the reader prefers that. */
function CollapsedPost({ post, titleId, onExpand }: { post: Post; titleId: string; onExpand(): void }) {
  const { t } = useText();
  const name = usePostName(post);
  return (
    <div className="flex items-center gap-3">
      <AuthorAvatar post={post} size="small" />
      <div className="min-w-0 flex-1">
        <h2 id={titleId} className="theirs-line block text-sm font-medium text-soft">
          <Link to={postAddress(post.id)} data-act="open" className="hover:underline">
            {name}
          </Link>
        </h2>
        <p className="flex items-center gap-1.5 text-xs text-soft">
          <AccountName account={post} />
          <ProvenanceBadge {...post} short />
        </p>
      </div>
      <Button variant="quiet" size="small" className="min-h-10" title={t("card.dimmed")} onClick={onExpand}>
        {t("card.open")}
      </Button>
    </div>
  );
}

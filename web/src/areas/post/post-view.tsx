import type { Post } from "@tandem/contract/post-resources";
import { textParts } from "@tandem/contract/text-parts";
import { Download, Eye, Quote } from "lucide-react";
import { useText } from "../../i18n/use-text.tsx";
import { BodyText } from "../../posts/body-text.tsx";
import { BehindWarning } from "../../posts/content-warning.tsx";
import { OriginLink } from "../../posts/origin-link.tsx";
import { PostActions } from "../../posts/post-actions.tsx";
import { PostByline } from "../../posts/post-byline.tsx";
import { hostOf } from "../../posts/post-links.ts";
import { PostMedia } from "../../posts/post-media.tsx";
import { PostMenuButton } from "../../posts/post-menu-button.tsx";
import { PostPoll } from "../../posts/post-poll.tsx";
import { PostProducts } from "../../posts/post-products.tsx";
import { PostQuote } from "../../posts/quote-card.tsx";
import Story from "../../posts/story.tsx";
import { TextParts } from "../../posts/user-text.tsx";
import { useNavigate } from "../../router/provider.tsx";
import { quotesAddress } from "../../shared/addresses.ts";
import { Link, OutboundLink } from "../../ui/link.tsx";
import { Comments } from "./comments.tsx";
import { OriginComments } from "./origin-comments.tsx";
import { headlineOf } from "./post-metadata.ts";
import { useCountView } from "./use-count-view.ts";

/** A post with its comments. */
export function PostView({ post }: { post: Post }) {
  const { title, body, platform, mediaUrl, audioUrl } = post;
  const media = <PostMedia post={post} />;
  const navigate = useNavigate();
  useCountView(post.id);
  return (
    <div className="flex min-w-0 flex-col gap-2 sm:gap-4 sm:pt-4">
      <article className="card-flush flex flex-col gap-4 p-4 pb-2 max-sm:border-t-0 sm:p-6 sm:pb-3">
        <div className="flex items-center gap-2">
          <PostByline post={post} />
          <PostMenuButton post={post} onRemoved={() => void navigate({ to: "/" })} />
        </div>
        <h1 className={title ? "theirs text-2xl leading-tight font-bold" : "sr-only"}>
          {title ? <TextParts parts={textParts(title, platform === "native")} /> : headlineOf(post)}
        </h1>
        <BehindWarning post={post}>
          {/* Notes on a podcast's episode are long: who wants to hear it shouldn't have to look for it. */}
          {audioUrl !== undefined && media}
          {body && (
            <BodyText
              text={body}
              isMarkdown={platform === "native"}
              highest={2}
              className="text-[1.0625rem] leading-relaxed"
            />
          )}
          {audioUrl === undefined && media}
          <PostPoll post={post} />
          <PostQuote post={post} />
        </BehindWarning>
        <PostProducts products={post.products} />
        <PostFacts post={post} hasMedia={mediaUrl !== null && mediaUrl !== post.url} />
        <PostActions post={post} />
      </article>
      {post.storyCount > 1 && <SameStoryPosts post={post} />}
      <Comments post={post} />
      <OriginComments post={post} />
    </div>
  );
}

/** View count and links, in small print. */
function PostFacts({ post, hasMedia }: { post: Post; hasMedia: boolean }) {
  const { t } = useText();
  const { platform, viewCount, quoteCount, url } = post;
  // The gallery in full screen has those of several pictures.
  const originalUrl = post.pictures ? null : post.originalUrl;
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-soft">
      <span className="inline-flex items-center gap-1.5">
        <Eye className="size-4" aria-hidden="true" />
        {t("thread.views", { count: viewCount })}
      </span>
      {quoteCount !== undefined && (
        <Link
          to={quotesAddress(post.id)}
          className="inline-flex min-h-6 items-center gap-1.5 underline underline-offset-2 hover:text-ink"
        >
          <Quote className="size-4" aria-hidden="true" />
          {t("thread.quoteCount", { count: quoteCount })}
        </Link>
      )}
      <OriginLink post={post} ifUnknown="link" />
      {hasMedia && platform === "native" && url !== null && (
        <OutboundLink href={url} className="underline underline-offset-2 hover:text-ink">
          {hostOf(url)}
        </OutboundLink>
      )}
      {originalUrl !== null && (
        <a
          href={originalUrl}
          download
          className="inline-flex items-center gap-1.5 underline underline-offset-2 hover:text-ink"
        >
          <Download className="size-4" aria-hidden="true" />
          {t("thread.original")}
        </a>
      )}
    </p>
  );
}

/** Other posts with the same link. */
function SameStoryPosts({ post: { id, storyCount } }: { post: Post }) {
  const { t } = useText();
  return (
    <section aria-labelledby="story" className="card-flush flex flex-col gap-3 p-4 sm:px-6">
      <h2 id="story" className="font-bold">
        {t("thread.story", { count: storyCount - 1 })}
      </h2>
      <Story id={id} />
    </section>
  );
}

import type { Post } from "@tandem/contract/resources";
import { useQuery } from "@tanstack/react-query";
import { Download, Eye } from "lucide-react";
import { postAddress } from "../../addresses.ts";
import { useApi } from "../../data/context.ts";
import { storyQuery } from "../../data/story.ts";
import { useText } from "../../i18n/use-text.tsx";
import { PostActions } from "../../posts/post-actions.tsx";
import { Byline } from "../../posts/post-card.tsx";
import { PostMedia } from "../../posts/post-media.tsx";
import { TheirText } from "../../posts/their-text.tsx";
import { Away, Link } from "../../ui/link.tsx";
import { ProvenanceMark } from "../../ui/provenance.tsx";
import { Time } from "../../ui/time.tsx";
import { Comments } from "./comments.tsx";
import { nameOf } from "./post-head.ts";
import { PostTools } from "./post-tools.tsx";
import { Products } from "./products.tsx";
import { useView } from "./use-view.ts";

/** A post with all that belongs to it, and what was said of it. */
export function PostView({ post }: { post: Post }) {
  const { title, body, platform, mediaUrl } = post;
  useView(post.id);
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-2 sm:gap-4 sm:pt-4">
      <article className="card flex flex-col gap-4 p-4 max-sm:rounded-none max-sm:border-x-0 max-sm:border-t-0 sm:p-6">
        <div className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <Byline post={post} />
          </div>
          <PostTools post={post} />
        </div>
        <h1 className={title ? "theirs text-2xl leading-tight font-bold" : "sr-only"}>{nameOf(post)}</h1>
        {body && (
          <TheirText
            text={body}
            mentions={platform === "native"}
            className="text-[1.0625rem] leading-relaxed"
          />
        )}
        <PostMedia post={post} />
        <Products products={post.products} />
        <Facts post={post} hasMedia={mediaUrl !== null && mediaUrl !== post.url} />
        <PostActions post={post} />
      </article>
      {post.storyCount > 1 && <Story post={post} />}
      <Comments post={post} />
    </div>
  );
}

/** What is told of it in small letters. */
function Facts({ post, hasMedia }: { post: Post; hasMedia: boolean }) {
  const { t } = useText();
  const { editedAt, viewCount, url, originalUrl } = post;
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-soft">
      <span className="inline-flex items-center gap-1.5">
        <Eye className="size-4" aria-hidden="true" />
        {t("thread.views", { count: viewCount })}
      </span>
      {editedAt !== null && (
        <span>
          {t("thread.edited")} <Time at={editedAt} />
        </span>
      )}
      {hasMedia && url !== null && (
        <Away href={url} className="underline underline-offset-2 hover:text-ink">
          {t("thread.origin")}
        </Away>
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

/** Where else the same link was posted. */
function Story({ post: { id } }: { post: Post }) {
  const { t } = useText();
  const others = (useQuery(storyQuery(useApi(), id)).data ?? []).filter((one) => one.id !== id);
  if (others.length === 0) return null;
  return (
    <section aria-labelledby="story" className="card p-4 max-sm:rounded-none max-sm:border-x-0 sm:px-6">
      <h2 id="story" className="mb-1 font-bold">
        {t("thread.story", { count: others.length })}
      </h2>
      <ul className="divide-y">
        {others.map((post) => (
          <li key={post.id} className="py-2.5">
            <Link to={postAddress(post.id)} className="theirs line-clamp-2 font-medium hover:underline">
              {nameOf(post)}
            </Link>
            <p className="theirs flex flex-wrap items-center gap-x-2 text-sm text-soft">
              <span>{t("post.from", { source: post.sourceName ?? post.platform })}</span>
              <Time at={post.postedAt} />
              {post.provenance !== "human" && <ProvenanceMark provenance={post.provenance} short />}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

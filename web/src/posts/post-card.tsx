import type { Post } from "@tandem/contract/resources";
import { creatorAddress, postAddress } from "../addresses.ts";
import { useText } from "../i18n/use-text.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { Link } from "../ui/link.tsx";
import { ProvenanceMark } from "../ui/provenance.tsx";
import { Time } from "../ui/time.tsx";
import { PostActions } from "./post-actions.tsx";
import { PostMedia } from "./post-media.tsx";

/** A post among others. */
export function PostCard({ post }: { post: Post }) {
  const { id, title, body } = post;
  return (
    <article
      aria-labelledby={`post-${id}`}
      className="card deferred flex flex-col gap-3 p-4 max-sm:rounded-none max-sm:border-x-0"
    >
      <Byline post={post} />
      <div className="flex flex-col gap-1">
        <h2 id={`post-${id}`} className="theirs text-lg leading-snug font-semibold">
          <Link to={postAddress(id)} className="hover:underline">
            {title ?? body?.slice(0, 80) ?? `#${id}`}
          </Link>
        </h2>
        {body && <p className="theirs line-clamp-5 whitespace-pre-line text-soft">{body}</p>}
      </div>
      <PostMedia post={post} />
      <PostActions post={post} />
    </article>
  );
}

/** Who wrote it, where, when, and whether a person or an AI did. */
export function Byline({ post }: { post: Post }) {
  const { t } = useText();
  const { author, authorIsAgent, authorAvatarUrl, platform, community, provenance, postedAt, sourceName } =
    post;
  return (
    <div className="flex items-start gap-3">
      <Avatar name={author} src={authorAvatarUrl} isAgent={authorIsAgent} />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <Link to={creatorAddress(post)} className="theirs line-clamp-1 font-semibold hover:underline">
            {author}
          </Link>
          <ProvenanceMark provenance={provenance} />
        </div>
        <p className="theirs text-sm text-soft">
          <Time at={postedAt} />
          {platform !== "native" && <> · {t("post.from", { source: sourceName ?? platform })}</>}
          {community !== null && (
            <>
              {" · "}
              <Link to="/" search={{ platform, community }} className="hover:underline">
                {community}
              </Link>
            </>
          )}
        </p>
      </div>
    </div>
  );
}

import type { Draft } from "@tandem/contract/drafts";
import { nativePlatform } from "@tandem/contract/origins";
import { useText } from "../../i18n/use-text.tsx";
import { communityAddress, creatorAddress, postAddress } from "../../shared/addresses.ts";
import { Link } from "../../ui/link.tsx";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";

const linkClass = "theirs-line min-h-6 min-w-0 leading-6 text-accent underline";

/** Links to what a change is about: a post with its mark, a creator or a community. Nothing for a new post. */
export function DraftSubject({ draft }: { draft: Draft }) {
  const { t } = useText();
  const { operation, post, creator, community } = draft;
  const commentId = draft.parentId ?? draft.commentId;
  if (post)
    return (
      <p className="flex min-w-0 items-center gap-2 text-sm">
        <Link
          to={postAddress(post.id)}
          hash={commentId === null ? undefined : `comment-${commentId}`}
          className={linkClass}
        >
          {post.title || post.excerpt || t("card.withoutTitle")}
        </Link>
        <ProvenanceBadge {...post} short />
      </p>
    );
  if (creator)
    return (
      <p className="flex min-w-0 text-sm">
        <Link to={creatorAddress(creator)} className={linkClass}>
          {creator.platform === nativePlatform
            ? `@${creator.author}`
            : `${creator.author} · ${creator.platform}`}
        </Link>
      </p>
    );
  if (community === null || operation === "createPost") return null;
  return (
    <p className="flex min-w-0 text-sm">
      <Link to={communityAddress(community)} className={linkClass}>
        {community}
      </Link>
    </p>
  );
}

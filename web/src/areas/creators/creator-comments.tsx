import type { ListedComment } from "@tandem/contract/post-resources";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type CreatorRef, creatorCommentsQuery } from "../../data/creators.ts";
import { useText } from "../../i18n/use-text.tsx";
import { commentAuthorship } from "../../posts/comment-authorship.ts";
import { EditedLink } from "../../posts/edited-link.tsx";
import { MarkdownText } from "../../posts/markdown-text.tsx";
import { commentVersionsAddress, postAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { Byline, BylineItem } from "../../ui/byline.tsx";
import { Link } from "../../ui/link.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";
import { EmptyState, SkeletonCards } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";

/** What a creator wrote below posts, newest first. */
export function CreatorComments({ creatorRef }: { creatorRef: CreatorRef }) {
  const { t } = useText();
  const list = useInfiniteQuery(creatorCommentsQuery(useApi(), creatorRef));
  const comments = list.data?.pages.flatMap((page) => page.comments) ?? [];
  if (list.isPending) return <SkeletonCards count={2} />;
  if (comments.length === 0)
    return (
      <EmptyState drawing="messages" title={t("creators.noComments")}>
        {t("creators.noCommentsDescription")}
      </EmptyState>
    );
  return (
    <>
      <ul aria-label={t("creators.comments")} className="flex flex-col gap-2 sm:gap-4">
        {comments.map((comment) => (
          <li key={comment.id} className="card-flush flex flex-col gap-2 p-4">
            <CommentCard comment={comment} />
          </li>
        ))}
      </ul>
      <LoadMore list={list} cursor={list.data?.pages.at(-1)?.nextCursor} />
    </>
  );
}

function CommentCard({ comment }: { comment: ListedComment }) {
  const { t } = useText();
  const { id, postId, postTitle, postProvenance, postProvenanceBasis } = comment;
  const { body, hidden, createdAt, editedAt, authorIsAgent } = comment;
  return (
    <>
      <Byline>
        <BylineItem dot={false}>
          <Time isAge at={createdAt} />
        </BylineItem>
        {editedAt !== null && (
          <BylineItem>
            <EditedLink to={commentVersionsAddress(id)} />
          </BylineItem>
        )}
        <BylineItem dot={false}>
          <ProvenanceBadge {...commentAuthorship(comment)} authorIsAgent={authorIsAgent} short />
        </BylineItem>
      </Byline>
      {hidden ? (
        <p className="text-sm text-soft italic">{t("creators.hiddenComment")}</p>
      ) : (
        <MarkdownText text={body} highest={2} />
      )}
      <p className="flex items-center gap-2 text-sm">
        <Link
          to={postAddress(postId)}
          hash={`comment-${id}`}
          className="theirs inline-flex min-h-6 min-w-0 items-center text-soft hover:underline"
        >
          <span className="block truncate">
            {postTitle === null ? t("creators.onUntitled") : t("creators.onPost", { title: postTitle })}
          </span>
        </Link>
        {postTitle !== null && postProvenance !== "human" && (
          <ProvenanceBadge provenance={postProvenance} provenanceBasis={postProvenanceBasis} short />
        )}
      </p>
    </>
  );
}

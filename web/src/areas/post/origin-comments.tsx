import type { OriginComment } from "@tandem/contract/origin-comments";
import { origins, type ThreadPlatform } from "@tandem/contract/origins";
import type { Post } from "@tandem/contract/post-resources";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { MessagesSquare } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { errorMessage } from "../../data/error-messages.ts";
import { originCommentsQuery } from "../../data/origin-comments.ts";
import { useText } from "../../i18n/use-text.tsx";
import { originThreadOf } from "../../posts/post-links.ts";
import { UserText } from "../../posts/user-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Button } from "../../ui/button.tsx";
import { OutboundLink } from "../../ui/link.tsx";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";
import { Count, Time } from "../../ui/time.tsx";
import { HiddenComment, HiddenComments } from "./hidden-comments.tsx";

/** The comments of an imported post at its origin, once the reader asks for them. */
export function OriginComments({ post }: { post: Post }) {
  const thread = originThreadOf(post);
  return thread && <Thread id={post.id} {...thread} />;
}

function Thread({ id, platform, url }: { id: number; platform: ThreadPlatform; url: string }) {
  const { t } = useText();
  const [isOpen, setOpen] = useState(false);
  const [showAll, setShowAll] = useState(false);
  const query = originCommentsQuery(useApi(), id, showAll);
  const { data, error, isFetching, refetch } = useQuery({
    ...query,
    enabled: isOpen,
    placeholderData: keepPreviousData,
  });
  const heading = useRef<HTMLHeadingElement>(null);
  const isLoaded = data !== undefined;
  useEffect(() => {
    if (isLoaded) heading.current?.focus({ preventScroll: true });
  }, [isLoaded]);
  const names = { source: t(`platform.${platform}`), term: origins[platform].commentTerm };
  const open = () => (isOpen ? void refetch() : setOpen(true));
  if (!data)
    return (
      <div className="flex flex-col items-center gap-2 px-4 py-2">
        <Button busy={isFetching} onClick={open}>
          {!isFetching && <MessagesSquare className="size-4.5" aria-hidden="true" />}
          {t("thread.originRead", names)}
        </Button>
        {error && !isFetching && (
          <p role="alert" className="text-center text-sm text-danger">
            {errorMessage(error, t)}
          </p>
        )}
      </div>
    );
  const hidden = data.comments.filter((comment) => comment.hidden && !comment.muted).length;
  return (
    <section aria-labelledby="origin-comments" className="card-flush flex flex-col gap-3 p-4 sm:px-6">
      <div>
        <h2 ref={heading} id="origin-comments" tabIndex={-1} className="text-lg font-bold outline-none">
          {t("thread.originTitle", names)}
        </h2>
        <p className="text-sm text-soft">
          {t("thread.originReadOnly")}{" "}
          <OutboundLink href={url} className="underline underline-offset-2 hover:text-ink">
            {t("thread.originReply", names)}
            <span aria-hidden="true"> ↗</span>
          </OutboundLink>
        </p>
      </div>
      <HiddenComments count={hidden} onShow={() => setShowAll(true)} />
      {data.comments.length === 0 && <p className="py-4 text-center text-soft">{t("thread.originEmpty")}</p>}
      <ol className="flex flex-col">
        {data.comments.map((comment, i) => (
          <Item key={String(i)} comment={comment} platform={platform} onShow={() => setShowAll(true)} />
        ))}
      </ol>
    </section>
  );
}

/** By depth; deeper replies are indented like the last, so that they stay readable on a phone. */
const indents = [
  "border-t py-3 first:border-t-0",
  "ms-2 border-s-2 py-2 ps-3 sm:ms-4 sm:ps-4",
  "ms-5 border-s-2 py-2 ps-3 sm:ms-10 sm:ps-4",
  "ms-8 border-s-2 py-2 ps-3 sm:ms-16 sm:ps-4",
];

function Item({
  comment,
  platform,
  onShow,
}: {
  comment: OriginComment;
  platform: ThreadPlatform;
  onShow(): void;
}) {
  const { author, body, score, postedAt, depth, url, provenance, hidden } = comment;
  return (
    <li className={indents[Math.min(depth, indents.length - 1)]}>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-sm text-soft">
        <span className="theirs-line max-w-full font-semibold text-ink">{author}</span>
        {provenance && <ProvenanceBadge provenance={provenance} provenanceBasis="origin" short />}
        <span className="inline-flex items-center gap-x-2 whitespace-nowrap">
          {postedAt !== null && <When at={postedAt} url={url} />}
          {score !== null && <Score score={score} platform={platform} />}
        </span>
      </p>
      {hidden ? (
        <HiddenComment isMuted={comment.muted} onShow={onShow} />
      ) : (
        <UserText text={body} mentions={false} />
      )}
    </li>
  );
}

function Score({ score, platform }: { score: number; platform: ThreadPlatform }) {
  const { t } = useText();
  const words = t(`origin.${origins[platform].scoreTerm}`, { count: score, number: score });
  return (
    <span title={words}>
      <span className="sr-only">{words}</span>
      <span aria-hidden="true">
        {score > 0 && "+"}
        <Count value={score} />
      </span>
    </span>
  );
}

function When({ at, url }: { at: string; url: string | null }) {
  if (url === null) return <Time at={at} />;
  return (
    <OutboundLink href={url} className="inline-block py-0.5 hover:text-ink hover:underline">
      <Time at={at} />
      <span aria-hidden="true"> ↗</span>
    </OutboundLink>
  );
}

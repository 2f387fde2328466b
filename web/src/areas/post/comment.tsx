import type { Comment } from "@tandem/contract/post-resources";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useState } from "react";
import { useUnfinishedDraft } from "../../data/draft-storage.ts";
import { useText } from "../../i18n/use-text.tsx";
import { commentAuthorship } from "../../posts/comment-authorship.ts";
import { EditedLink } from "../../posts/edited-link.tsx";
import { MarkdownText } from "../../posts/markdown-text.tsx";
import { commentVersionsAddress } from "../../shared/addresses.ts";
import { fullName } from "../../shared/full-name.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { AccountLink, Byline, BylineAuthor, BylineItem } from "../../ui/byline.tsx";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";
import { Time } from "../../ui/time.tsx";
import { CommentActions } from "./comment-actions.tsx";
import { draftKinds, EditForm, ReplyForm } from "./comment-form.tsx";
import { HiddenComment } from "./hidden-comments.tsx";
import type { CommentNode } from "./thread.ts";
import { useThread } from "./thread-context.ts";

/** What the reader is doing with a comment. */
export type CommentMode = "nothing" | "replying" | "editing";

/** A comment with its replies. */
export function CommentItem({ node }: { node: CommentNode }) {
  const { collapsed, target } = useThread();
  const { comment, replies } = node;
  const isCollapsed = collapsed.has(comment.id);
  return (
    <li id={`comment-${comment.id}`} tabIndex={-1} className="scroll-mt-4 outline-none">
      <article
        aria-labelledby={`by-${comment.id}`}
        className={`-mx-2 rounded-xl px-2 py-2 transition-colors duration-700 ${target === comment.id ? "bg-accent-soft" : ""}`}
      >
        <CommentHeader node={node} isCollapsed={isCollapsed} />
        {!isCollapsed && <CommentBody node={node} />}
      </article>
      {!isCollapsed && replies.length > 0 && (
        <div className="relative ms-2 border-s-2 ps-3 sm:ms-4 sm:ps-5">
          <ThreadLine id={comment.id} />
          <ol className="flex flex-col">
            {replies.map((reply) => (
              <CommentItem key={reply.comment.id} node={reply} />
            ))}
          </ol>
        </div>
      )}
    </li>
  );
}

/** The thread's line collapses it on click. Keyboard and screen readers use the button next to the name. */
function ThreadLine({ id }: { id: number }) {
  const { toggle } = useThread();
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-hidden="true"
      onClick={() => toggle(id)}
      className="absolute inset-y-0 -start-2.5 w-5 before:absolute before:inset-y-0 before:start-2 before:w-0.5 before:rounded-full hover:before:bg-accent"
    />
  );
}

function CommentHeader({
  node: { comment, descendantCount },
  isCollapsed,
}: {
  node: CommentNode;
  isCollapsed: boolean;
}) {
  const { t } = useText();
  const { toggle } = useThread();
  const { id, username, authorName, authorAvatarUrl, authorIsAgent, createdAt, editedAt } = comment;
  const Icon = isCollapsed ? ChevronRight : ChevronDown;
  const label = t(isCollapsed ? "thread.expand" : "thread.collapse", {
    name: isDeletedAuthor(comment) ? username : fullName(username, authorName),
    count: descendantCount,
  });
  return (
    <header className="flex items-center gap-2">
      {comment.deleted ? (
        <span aria-hidden="true" className="size-8 shrink-0 rounded-full border border-dashed border-edge" />
      ) : (
        <Avatar name={authorName ?? username} src={authorAvatarUrl} isAgent={authorIsAgent} size="small" />
      )}
      <Byline>
        <CommentAuthor comment={comment} />
        <BylineItem>
          <Time isAge at={createdAt} />
        </BylineItem>
        {editedAt !== null && !comment.deleted && (
          <BylineItem>
            <EditedLink to={commentVersionsAddress(id)} />
          </BylineItem>
        )}
        {isCollapsed && descendantCount > 0 && (
          <BylineItem>{t("thread.replyCount", { count: descendantCount })}</BylineItem>
        )}
        {!comment.deleted && (
          <BylineItem dot={false}>
            <ProvenanceBadge {...commentAuthorship(comment)} authorIsAgent={authorIsAgent} short />
          </BylineItem>
        )}
      </Byline>
      <button
        type="button"
        aria-expanded={!isCollapsed}
        aria-label={label}
        title={label}
        onClick={() => toggle(id)}
        className="grid size-10 shrink-0 place-items-center rounded-full text-soft hover:bg-sunken hover:text-ink sm:size-8"
      >
        <Icon className="size-4 rtl:-scale-x-100" aria-hidden="true" />
      </button>
    </header>
  );
}

const isDeletedAuthor = ({ username }: Comment) => username.startsWith("[");

function CommentAuthor({ comment }: { comment: Comment }) {
  const { t } = useText();
  const { post } = useThread();
  const { id, username, authorName } = comment;
  return (
    <>
      <BylineAuthor>
        <span id={`by-${id}`} className="flex min-w-0">
          {isDeletedAuthor(comment) ? (
            t("thread.deletedAuthor")
          ) : (
            <AccountLink account={{ platform: "native", author: username, authorName }} />
          )}
        </span>
      </BylineAuthor>
      {post.platform === "native" && post.author === username && (
        <BylineItem dot={false} className="shrink-0">
          <span className="rounded-full bg-accent-soft px-1.5 text-xs font-semibold text-accent">
            {t("thread.author")}
          </span>
        </BylineItem>
      )}
    </>
  );
}

function CommentBody({ node: { comment, replyTo } }: { node: CommentNode }) {
  const { t } = useText();
  const { dimmed, showHidden } = useThread();
  const { post } = useThread();
  const unfinished = useUnfinishedDraft(draftKinds(post.id, comment.id));
  const [selectedMode, setSelectedMode] = useState<CommentMode | null>(null);
  const mode = selectedMode ?? unfinished ?? "nothing";
  const closeForm = () => setSelectedMode("nothing");
  if (comment.deleted) return <p className="py-1 text-soft italic sm:ps-10">{t("thread.deleted")}</p>;
  return (
    <div className="mt-0.5 sm:ps-10">
      {replyTo && (
        <p className="theirs text-sm text-soft">
          <a href={`#comment-${replyTo.id}`} className="hover:underline">
            {t("thread.inReplyTo", {
              name: isDeletedAuthor(replyTo)
                ? t("thread.deletedAuthor")
                : fullName(replyTo.username, replyTo.authorName),
            })}
          </a>
        </p>
      )}
      {comment.hidden ? (
        <HiddenComment isMuted={comment.muted} onShow={showHidden} />
      ) : mode === "editing" ? (
        <EditForm comment={comment} autoFocus={selectedMode !== null} onDone={closeForm} />
      ) : (
        <MarkdownText
          text={comment.body}
          highest={3}
          className={
            dimmed && comment.isAiGenerated ? "opacity-60 focus-within:opacity-100 hover:opacity-100" : ""
          }
        />
      )}
      {!comment.hidden && <CommentActions comment={comment} mode={mode} onModeChange={setSelectedMode} />}
      {mode === "replying" && (
        <ReplyForm comment={comment} autoFocus={selectedMode !== null} onDone={closeForm} />
      )}
    </div>
  );
}

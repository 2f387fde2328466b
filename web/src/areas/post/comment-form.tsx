import { limits } from "@tandem/contract/limits";
import type { Comment } from "@tandem/contract/post-resources";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useAfterLogin } from "../../data/after-login.ts";
import { addComment, changeComment } from "../../data/comments.ts";
import { type StoredDraft, useStoredDraft } from "../../data/draft-storage.ts";
import { useAction } from "../../data/use-action.ts";
import { useStillOnPage } from "../../data/use-still-on-page.ts";
import { useText } from "../../i18n/use-text.tsx";
import { MarkdownEditor } from "../../posts/markdown-editor.tsx";
import { useNavigate } from "../../router/provider.tsx";
import { postAddress } from "../../shared/addresses.ts";
import { fullName } from "../../shared/full-name.ts";
import { Button } from "../../ui/button.tsx";
import { CharacterCounter, characterCount } from "../../ui/counter.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { TextArea } from "../../ui/field.tsx";
import { useThread } from "./thread-context.ts";

interface CommentDraft {
  body: string;
}

interface SubmitState {
  pending: boolean;
  error: Error | null;
  send(body: string): void;
}

/** The kinds of drafts for a comment, by mode. */
export const draftKinds = (post: number, comment: number) => ({
  editing: `edit.comment.${comment}`,
  replying: `comment.${post}.${comment}`,
});

interface CommentFormProps {
  comment: Comment;
  /** Whether the reader opened the form now, rather than having it restored. */
  autoFocus: boolean;
  onDone(): void;
}

/** The form for a top-level comment: one line until the reader writes. */
export function NewCommentForm() {
  const { t } = useText();
  const { post } = useThread();
  const stored = useStoredDraft(`comment.${post.id}`, { body: "" });
  const [isOpened, setOpened] = useState(false);
  const submission = useNewComment(null, stored, () => setOpened(false));
  const [autoFocus, setAutoFocus] = useState(false);
  useAfterLogin(`comment on ${post.id}`, () => setAutoFocus(true));
  return (
    <CommentForm
      autoFocus={autoFocus}
      label={t("thread.yourComment")}
      action={t("thread.send")}
      stored={stored}
      submission={submission}
      isCollapsed={!isOpened && stored.value.body === "" && !submission.pending && !submission.error}
      onOpen={() => setOpened(true)}
      onCancel={() => {
        stored.clear();
        setOpened(false);
      }}
    />
  );
}

export function ReplyForm({ comment, autoFocus, onDone }: CommentFormProps) {
  const { t } = useText();
  const { post } = useThread();
  const stored = useStoredDraft(draftKinds(post.id, comment.id).replying, { body: "" });
  const cancel = () => {
    stored.clear();
    onDone();
    // Returns focus to the comment.
    document.getElementById(`comment-${comment.id}`)?.focus({ preventScroll: true });
  };
  const submission = useNewComment(comment.id, stored, onDone);
  return (
    <CommentForm
      label={t("thread.replyTo", { name: fullName(comment.username, comment.authorName) })}
      action={t("thread.reply")}
      stored={stored}
      submission={submission}
      autoFocus={autoFocus}
      onCancel={cancel}
    />
  );
}

function useNewComment(
  parentId: number | null,
  stored: StoredDraft<CommentDraft>,
  onSent?: () => void,
): SubmitState {
  const { post } = useThread();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const isStillOnPage = useStillOnPage();
  const { mutate, isPending, error } = useAction(
    (api, body: string) => {
      const comment = { id: post.id, body, parentId };
      return api.createComment(comment, { idempotencyKey: stored.idempotencyKeyFor(comment) });
    },
    {
      inlineErrors: true,
      onSuccess: ({ comment }) => {
        stored.clearSent();
        onSent?.();
        addComment(queryClient, post.id, comment);
        // Shows the new comment in its place, unless the reader has left the page.
        if (isStillOnPage())
          void navigate({ to: postAddress(post.id), hash: `comment-${comment.id}`, replace: true });
      },
    },
  );
  return { pending: isPending, error, send: mutate };
}

export function EditForm({ comment: { id, body }, autoFocus, onDone }: CommentFormProps) {
  const { t } = useText();
  const { post } = useThread();
  const queryClient = useQueryClient();
  const stored = useStoredDraft(draftKinds(post.id, id).editing, { body });
  const cancel = () => {
    stored.clear();
    onDone();
  };
  const { mutate, isPending, error } = useAction(
    (api, newBody: string) => api.editComment({ id, body: newBody }),
    {
      inlineErrors: true,
      onSuccess: ({ comment }) => {
        changeComment(queryClient, post.id, id, () => comment);
        cancel();
      },
    },
  );
  const submission = { pending: isPending, error, send: mutate };
  return (
    <CommentForm
      label={t("thread.editYourComment")}
      action={t("common.save")}
      stored={stored}
      submission={submission}
      autoFocus={autoFocus}
      onCancel={cancel}
    />
  );
}

function CommentForm({
  label,
  action,
  stored,
  submission,
  autoFocus = false,
  isCollapsed,
  onOpen,
  onCancel,
}: {
  label: string;
  action: string;
  stored: StoredDraft<CommentDraft>;
  submission: SubmitState;
  autoFocus?: boolean;
  /** Whether only one line shows. Forms that the reader opened with a button never collapse. */
  isCollapsed?: boolean;
  onOpen?: () => void;
  onCancel: () => void;
}) {
  const { t } = useText();
  const { body } = stored.value;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const field = form.current?.querySelector("textarea");
    if (autoFocus) field?.focus();
    // The buttons too: the browser only scrolls to the field.
    if (field && field === document.activeElement && !isCollapsed)
      form.current?.scrollIntoView({ block: "nearest" });
  }, [autoFocus, isCollapsed]);
  const isValid = body.trim() !== "" && characterCount(body) <= limits.commentBody;
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (isValid && !submission.pending) submission.send(body);
  };
  return (
    <form
      ref={form}
      onSubmit={submit}
      onKeyDown={({ key }) => {
        if (key !== "Escape" || body.trim() !== "") return;
        if (isCollapsed !== undefined) form.current?.querySelector("textarea")?.blur();
        onCancel();
      }}
      className="flex scroll-mb-20 flex-col gap-2 py-2 rail:scroll-mb-4"
    >
      <MarkdownEditor text={body} showsTools={!isCollapsed}>
        <TextArea
          label={label}
          hasVisibleLabel={isCollapsed === undefined}
          {...(isCollapsed && { rows: 1 })}
          onFocus={onOpen}
          value={body}
          readOnly={submission.pending}
          onChange={({ target }) => stored.change({ body: target.value })}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) submit(event);
          }}
        />
      </MarkdownEditor>
      <ErrorNotice error={submission.error} />
      {!isCollapsed && (
        <div className="flex flex-wrap items-center justify-end gap-2">
          <CharacterCounter text={body} max={limits.commentBody} />
          <Button variant="quiet" onClick={onCancel}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" variant="primary" disabled={!isValid} busy={submission.pending}>
            {action}
          </Button>
        </div>
      )}
    </form>
  );
}

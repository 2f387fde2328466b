import { limits } from "@tandem/contract/limits";
import type { Comment } from "@tandem/contract/resources";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from "react";
import { addComment, changeComment } from "../../data/comments.ts";
import { type StoredDraft, useStoredDraft } from "../../data/draft-storage.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useStillOnPage } from "../../data/use-still-on-page.ts";
import { useText } from "../../i18n/use-text.tsx";
import { postAddress } from "../../shared/addresses.ts";
import { Button } from "../../ui/button.tsx";
import { Counter, lengthOf } from "../../ui/counter.tsx";
import { Failure } from "../../ui/error-notice.tsx";
import { TextArea } from "../../ui/field.tsx";
import { useThread } from "./thread-context.ts";

interface Written {
  body: string;
}

interface Sending {
  pending: boolean;
  error: Error | null;
  send(body: string): void;
}

/** What can be written at a comment, by what is done then, as it is kept. */
export const writings = (post: number, comment: number) => ({
  editing: `edit.comment.${comment}`,
  replying: `comment.${post}.${comment}`,
});

interface AtComment {
  comment: Comment;
  /** Whether it was opened by a press, and not for what was begun at an earlier visit. */
  asked: boolean;
  onDone(): void;
}

/** A comment on the post itself. */
export function NewComment() {
  const { t } = useText();
  const { post } = useThread();
  const kept = useStoredDraft(`comment.${post.id}`, { body: "" });
  const sending = useNewComment(null, kept);
  return <Form label={t("thread.yours")} action={t("thread.send")} kept={kept} sending={sending} />;
}

export function ReplyForm({ comment, asked, onDone }: AtComment) {
  const { t } = useText();
  const { post } = useThread();
  const kept = useStoredDraft(writings(post.id, comment.id).replying, { body: "" });
  const end = () => {
    kept.clear();
    onDone();
    // One goes on from what one didn't answer.
    document.getElementById(`comment-${comment.id}`)?.focus({ preventScroll: true });
  };
  const sending = useNewComment(comment.id, kept, onDone);
  return (
    <Form
      label={t("thread.replyTo", { name: comment.username })}
      action={t("thread.reply")}
      kept={kept}
      sending={sending}
      asked={asked}
      onCancel={end}
    />
  );
}

function useNewComment(parentId: number | null, kept: StoredDraft<Written>, onSent?: () => void): Sending {
  const { t } = useText();
  const { show } = useToasts();
  const { post } = useThread();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const here = useStillOnPage();
  const { mutate, isPending, error } = useAction(
    (api, body: string) => {
      const comment = { id: post.id, body, parentId };
      return api.createComment(comment, { idempotencyKey: kept.idempotencyKeyFor(comment) });
    },
    {
      inlineErrors: true,
      onSuccess: ({ comment, pendingApproval }) => {
        kept.clearSent();
        onSent?.();
        if (pendingApproval) return show(t("thread.waits"));
        addComment(queryClient, post.id, comment);
        // One sees it where it stands, unless one is elsewhere by now.
        if (here()) void navigate({ to: postAddress(post.id), hash: `comment-${comment.id}`, replace: true });
      },
    },
  );
  return { pending: isPending, error, send: mutate };
}

export function EditForm({ comment: { id, body }, asked, onDone }: AtComment) {
  const { t } = useText();
  const { post } = useThread();
  const queryClient = useQueryClient();
  const kept = useStoredDraft(writings(post.id, id).editing, { body });
  const end = () => {
    kept.clear();
    onDone();
  };
  const { mutate, isPending, error } = useAction((api, now: string) => api.editComment({ id, body: now }), {
    inlineErrors: true,
    onSuccess: ({ comment, pendingApproval }) => {
      if (!pendingApproval) changeComment(queryClient, post.id, id, () => comment);
      end();
    },
  });
  const sending = { pending: isPending, error, send: mutate };
  return (
    <Form
      label={t("thread.editYours")}
      action={t("common.save")}
      kept={kept}
      sending={sending}
      asked={asked}
      onCancel={end}
    />
  );
}

function Form({
  label,
  action,
  kept,
  sending,
  asked = false,
  onCancel,
}: {
  label: string;
  action: string;
  kept: StoredDraft<Written>;
  sending: Sending;
  asked?: boolean;
  onCancel?: () => void;
}) {
  const { t } = useText();
  const { body } = kept.value;
  const box = useRef<HTMLFormElement>(null);
  // What was just opened is where one writes.
  useEffect(() => {
    if (asked) box.current?.querySelector("textarea")?.focus();
  }, [asked]);
  const fits = body.trim() !== "" && lengthOf(body) <= limits.commentBody;
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (fits && !sending.pending) sending.send(body);
  };
  return (
    <form
      ref={box}
      onSubmit={submit}
      onKeyDown={({ key }) => key === "Escape" && body.trim() === "" && onCancel?.()}
      className="flex flex-col gap-2 py-2"
    >
      <TextArea
        label={label}
        value={body}
        readOnly={sending.pending}
        onChange={({ target }) => kept.change({ body: target.value })}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) submit(event);
        }}
      />
      <Failure error={sending.error} />
      <div className="flex flex-wrap items-center justify-end gap-2">
        <Counter text={body} max={limits.commentBody} />
        {onCancel && (
          <Button look="quiet" onClick={onCancel}>
            {t("common.cancel")}
          </Button>
        )}
        <Button type="submit" look="primary" disabled={!fits} busy={sending.pending}>
          {action}
        </Button>
      </div>
    </form>
  );
}

import { limits } from "@tandem/contract/limits";
import type { Comment } from "@tandem/contract/post-resources";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from "react";
import { useStoredDraft } from "../../data/draft-storage.ts";
import { useMe } from "../../data/me.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { commentAuthorship } from "../../posts/comment-authorship.ts";
import { InlineText } from "../../posts/markdown-inlines.tsx";
import { liveAddress, postAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { AccountLink, Byline, BylineItem } from "../../ui/byline.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { TextArea } from "../../ui/field.tsx";
import { Link } from "../../ui/link.tsx";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";

/** Milliseconds between two polls. */
const POLL_INTERVAL = 3_000;
/** Messages that the chat shows. The post has them all. */
const LENGTH = 50;

const chatKey = (post: number) => ["chat", post];

/** A stream's chat: the latest comments of its post, the newest at the bottom. */
export function Chat({ post, username }: { post: number; username: string }) {
  const { t } = useText();
  const me = useMe();
  const api = useApi();
  const { data: comments } = useQuery({
    queryKey: chatKey(post),
    queryFn: async ({ signal }) => {
      const { comments: latest } = await api.listComments(
        { id: post, sort: "new", limit: LENGTH },
        { signal },
      );
      return latest.filter(({ deleted }) => !deleted).toReversed();
    },
    refetchInterval: POLL_INTERVAL,
    staleTime: POLL_INTERVAL,
    enabled: typeof document !== "undefined",
  });
  const list = useScrolledToEnd(comments?.at(-1)?.id);
  return (
    <section
      aria-labelledby="chat"
      className="card-flush flex h-112 flex-col wide:h-[min(44rem,calc(100dvh-6rem))]"
    >
      <header className="flex items-center justify-between gap-3 border-b px-4 py-3">
        <h2 id="chat" className="font-bold">
          {t("live.chat")}
        </h2>
        <Link
          to={postAddress(post)}
          className="inline-flex min-h-6 items-center text-sm text-accent hover:underline"
        >
          {t("live.chatPost")}
        </Link>
      </header>
      <div
        ref={list}
        role="log"
        aria-labelledby="chat"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto px-4 py-3"
      >
        {comments?.length === 0 && <p className="py-6 text-center text-soft">{t("live.chatEmpty")}</p>}
        <ul className="flex flex-col gap-3">
          {comments?.map((comment) => (
            <Message key={comment.id} comment={comment} />
          ))}
        </ul>
      </div>
      <div className="border-t p-3">
        {me ? (
          <MessageForm post={post} />
        ) : (
          <ButtonLink to="/login" search={{ next: liveAddress(username) }} className="w-full">
            {t("live.logInToChat")}
          </ButtonLink>
        )}
      </div>
    </section>
  );
}

function Message({ comment }: { comment: Comment }) {
  const { t } = useText();
  const { username, authorName, authorIsAgent, body, hidden } = comment;
  return (
    <li>
      <Byline>
        <BylineItem dot={false}>
          <AccountLink account={{ platform: "native", author: username, authorName }} />
        </BylineItem>
        <BylineItem dot={false}>
          <ProvenanceBadge {...commentAuthorship(comment)} authorIsAgent={authorIsAgent} short />
        </BylineItem>
      </Byline>
      {hidden ? (
        <p className="text-sm text-soft italic">{t("live.chatHidden")}</p>
      ) : (
        <InlineText text={body} />
      )}
    </li>
  );
}

function MessageForm({ post }: { post: number }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const stored = useStoredDraft(`chat.${post}`, { body: "" });
  const { body } = stored.value;
  const { mutate, isPending, error } = useAction(
    (api, text: string) => {
      const comment = { id: post, body: text };
      return api.createComment(comment, { idempotencyKey: stored.idempotencyKeyFor(comment) });
    },
    {
      inlineErrors: true,
      onSuccess: () => {
        stored.clearSent();
        return queryClient.invalidateQueries({ queryKey: chatKey(post) });
      },
    },
  );
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (body.trim() !== "" && !isPending) mutate(body);
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      <div className="flex items-end gap-2">
        <TextArea
          label={t("live.message")}
          hasVisibleLabel={false}
          rows={1}
          value={body}
          readOnly={isPending}
          maxLength={limits.commentBody}
          onChange={({ target }) => stored.change({ body: target.value })}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
          }}
          className="min-w-0 flex-1 [&_textarea]:max-h-32"
        />
        <Button type="submit" variant="primary" busy={isPending} disabled={body.trim() === ""}>
          {t("live.send")}
        </Button>
      </div>
      <ErrorNotice error={error} />
    </form>
  );
}

/** Pixels from the end within which a reader follows the conversation. */
const NEAR = 80;

/** Scrolls to the end when there is something new, unless the reader has scrolled up to read. */
function useScrolledToEnd(newest: number | undefined) {
  const ref = useRef<HTMLDivElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    const { current: list } = ref;
    if (!list || newest === undefined) return;
    const lastHeight = list.lastElementChild?.lastElementChild?.getBoundingClientRect().height ?? 0;
    const distance = list.scrollHeight - list.scrollTop - list.clientHeight;
    if (isFirst.current || distance < NEAR + lastHeight) list.scrollTop = list.scrollHeight;
    isFirst.current = false;
  }, [newest]);
  return ref;
}

import type { CommentOrder, Post } from "@tandem/contract/post-resources";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import { rememberForAfterLogin } from "../../data/after-login.ts";
import { commentsOf, commentsQuery } from "../../data/comments.ts";
import { useStorageKey } from "../../data/draft-storage.ts";
import { errorMessage } from "../../data/error-messages.ts";
import { useMe } from "../../data/me.ts";
import { preferencesQuery } from "../../data/preferences.ts";
import { readStored, writeStored } from "../../data/stored.ts";
import { useText } from "../../i18n/use-text.tsx";
import { originThreadOf } from "../../posts/post-links.ts";
import { useSearch } from "../../router/provider.tsx";
import { postAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { SkeletonCards } from "../../ui/states.tsx";
import { TabLink, TabLinks } from "../../ui/tab-link.tsx";
import { CommentItem } from "./comment.tsx";
import { NewCommentForm } from "./comment-form.tsx";
import { commentOrderOf, defaultOrder } from "./comment-order.ts";
import { HiddenComments } from "./hidden-comments.tsx";
import { NewComments } from "./new-comments.tsx";
import { ancestorsOf, buildThreads } from "./thread.ts";
import { ThreadContext } from "./thread-context.ts";
import { useCommentTarget } from "./use-target.ts";

/** A post's comments as threads, with the form for a new one. */
export function Comments({ post }: { post: Post }) {
  const { t } = useText();
  const me = useMe();
  const order = commentOrderOf(useSearch());
  const [showAll, setShowAll] = useState(false);
  const { collapsed, toggle, expand } = useCollapsed();
  const list = useInfiniteQuery({
    ...commentsQuery(useApi(), post.id, order, showAll),
    placeholderData: keepPreviousData,
  });
  const comments = useMemo(() => (list.data ? commentsOf(list.data) : []), [list.data]);
  const threads = useMemo(() => buildThreads(comments, order), [comments, order]);
  const target = useCommentTarget(list, comments, (id) => expand([id, ...ancestorsOf(id, threads)]));
  const dimmed = useDimmed();
  const thread = {
    post,
    collapsed,
    toggle,
    target,
    dimmed,
    showHidden: () => setShowAll(true),
  };
  const hidden = comments.filter((comment) => comment.hidden && !comment.muted).length;
  return (
    <ThreadContext value={thread}>
      <section aria-labelledby="comments" className="card-flush p-4 sm:px-6">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <h2 id="comments" className="scroll-mt-4 text-lg font-bold">
            {post.commentCount === 0 ? t("thread.title") : t("post.comments", { count: post.commentCount })}
          </h2>
          {comments.length > 1 && <OrderLinks post={post.id} current={order} />}
        </div>
        {me ? <NewCommentForm /> : <LogInPrompt post={post} />}
        <NewComments post={post} isComplete={!list.hasNextPage} />
        <HiddenComments count={hidden} onShow={() => setShowAll(true)} />
        {list.isPending && <SkeletonCards count={2} />}
        {list.isError && comments.length === 0 && (
          <div role="alert" className="flex flex-wrap items-center gap-3 py-4">
            <p className="text-danger">{errorMessage(list.error, t)}</p>
            <Button size="small" onClick={() => list.refetch()}>
              {t("common.retry")}
            </Button>
          </div>
        )}
        {list.isSuccess && comments.length === 0 && originThreadOf(post) === null && (
          <p className="py-8 text-center text-soft">{t("thread.empty")}</p>
        )}
        <ol className="flex flex-col divide-y">
          {threads.map((node) => (
            <CommentItem key={node.comment.id} node={node} />
          ))}
        </ol>
        {list.hasNextPage && <LoadMore list={list} />}
      </section>
    </ThreadContext>
  );
}

function OrderLinks({ post, current }: { post: number; current: CommentOrder }) {
  const { t } = useText();
  return (
    <TabLinks label={t("thread.order")} className="-mx-4">
      {(["best", "new", "old"] as const).map((order) => (
        <TabLink
          key={order}
          to={postAddress(post)}
          search={{ sort: order === defaultOrder ? undefined : order }}
          hash="comments"
          replace
          aria-current={order === current ? "page" : undefined}
        >
          {t(`thread.order.${order}`)}
        </TabLink>
      ))}
    </TabLinks>
  );
}

function LogInPrompt({ post }: { post: Post }) {
  const { t } = useText();
  return (
    <div className="my-3 flex flex-wrap items-center justify-between gap-3 rounded-xl bg-sunken px-4 py-3">
      <p>{t("thread.logInToComment")}</p>
      <ButtonLink
        to="/login"
        search={{ next: postAddress(post.id) }}
        size="small"
        onClick={() => rememberForAfterLogin(`comment on ${post.id}`)}
      >
        {t("nav.login")}
      </ButtonLink>
    </div>
  );
}

/** How many collapsed comments the browser remembers, over all posts. */
const MAX_REMEMBERED = 500;

/** The comments whose threads the reader collapsed, which stay collapsed on later visits. */
function useCollapsed() {
  const storageKey = useStorageKey("collapsed");
  const [collapsed, setCollapsed] = useState<readonly number[]>([]);
  // The first render must match the server's, which doesn't know what is stored.
  useEffect(() => setCollapsed(readCollapsed(storageKey)), [storageKey]);
  const change = useCallback(
    (update: (ids: readonly number[]) => readonly number[]) => {
      setCollapsed(update);
      // Reads the storage, because another tab may have changed it.
      writeStored(storageKey, { ids: update(readCollapsed(storageKey)).slice(-MAX_REMEMBERED) });
    },
    [storageKey],
  );
  const toggle = useCallback(
    (id: number) => change((ids) => (ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id])),
    [change],
  );
  const expand = useCallback(
    (expanded: readonly number[]) => change((ids) => ids.filter((id) => !expanded.includes(id))),
    [change],
  );
  return { collapsed: useMemo(() => new Set(collapsed), [collapsed]), toggle, expand };
}

function readCollapsed(storageKey: string): readonly number[] {
  const ids = readStored<{ ids: unknown }>(storageKey)?.ids;
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "number") : [];
}

/** Whether the reader wants AI comments dimmed. */
function useDimmed(): boolean {
  const isSignedIn = useMe() !== null;
  const { data } = useQuery({
    ...preferencesQuery(useApi()),
    enabled: isSignedIn && typeof document !== "undefined",
  });
  return data?.aiComments === "dim";
}

import type { Post } from "@tandem/contract/resources";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { commentsOf, commentsQuery } from "../../data/comments.ts";
import { errorMessage } from "../../data/error-messages.ts";
import { useMe } from "../../data/me.ts";
import { preferencesQuery } from "../../data/preferences.ts";
import { useText } from "../../i18n/use-text.tsx";
import { postAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { MoreBelow } from "../../ui/load-more.tsx";
import { SkeletonCards } from "../../ui/states.tsx";
import { CommentItem } from "./comment.tsx";
import { NewComment } from "./comment-form.tsx";
import { above, threadsOf } from "./thread.ts";
import { ThreadHolder } from "./thread-context.ts";
import { useTarget } from "./use-target.ts";

/** What was said of a post, as threads, and where one adds to it. */
export function Comments({ post }: { post: Post }) {
  const { t } = useText();
  const me = useMe();
  const [all, setAll] = useState(false);
  const { folded, fold, unfold } = useFolds();
  const list = useInfiniteQuery({
    ...commentsQuery(useApi(), post.id, all),
    placeholderData: keepPreviousData,
  });
  const comments = useMemo(() => (list.data ? commentsOf(list.data) : []), [list.data]);
  const threads = useMemo(() => threadsOf(comments), [comments]);
  const target = useTarget(list, comments, (id) => unfold([id, ...above(id, threads)]));
  const dimmed = useDimmed();
  const thread = { post, folded, fold, target, dimmed, showHidden: () => setAll(true) };
  const hidden = comments.filter((comment) => comment.hidden).length;
  return (
    <ThreadHolder value={thread}>
      <section aria-labelledby="comments" className="card p-4 max-sm:rounded-none max-sm:border-x-0 sm:px-6">
        <h2 id="comments" className="text-lg font-bold">
          {t("post.comments", { count: post.commentCount })}
        </h2>
        {me ? <NewComment /> : <Invitation post={post} />}
        {hidden > 0 && (
          <p className="flex flex-wrap items-center gap-2 rounded-xl bg-agent-soft px-3 py-1 text-sm">
            {t("thread.hiddenCount", { count: hidden })}
            <Button look="quiet" size="small" onClick={() => setAll(true)}>
              {t("thread.showAll")}
            </Button>
          </p>
        )}
        {list.isPending && <SkeletonCards count={2} />}
        {list.isError && comments.length === 0 && (
          <div role="alert" className="flex flex-wrap items-center gap-3 py-4">
            <p className="text-danger">{errorMessage(list.error, t)}</p>
            <Button size="small" onClick={() => list.refetch()}>
              {t("common.again")}
            </Button>
          </div>
        )}
        {list.isSuccess && comments.length === 0 && (
          <p className="py-8 text-center text-soft">{t("thread.empty")}</p>
        )}
        <ol className="flex flex-col divide-y">
          {threads.map((place) => (
            <CommentItem key={place.comment.id} place={place} />
          ))}
        </ol>
        {list.hasNextPage && <MoreBelow list={list} />}
      </section>
    </ThreadHolder>
  );
}

function Invitation({ post }: { post: Post }) {
  const { t } = useText();
  return (
    <div className="my-3 flex flex-wrap items-center justify-between gap-3 rounded-xl bg-sunken px-4 py-3">
      <p>{t("thread.invitation")}</p>
      <ButtonLink to="/login" search={{ next: postAddress(post.id) }} size="small">
        {t("nav.login")}
      </ButtonLink>
    </div>
  );
}

function useFolds() {
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const fold = useCallback(
    (id: number) =>
      setFolded((now) =>
        now.has(id) ? new Set([...now].filter((one) => one !== id)) : new Set([...now, id]),
      ),
    [],
  );
  const unfold = useCallback(
    (ids: readonly number[]) => setFolded((now) => new Set([...now].filter((id) => !ids.includes(id)))),
    [],
  );
  return { folded, fold, unfold };
}

/** Whether the reader wants AI comments drawn so that they step back. */
function useDimmed(): boolean {
  const known = useMe() !== null;
  const { data } = useQuery({
    ...preferencesQuery(useApi()),
    enabled: known && typeof document !== "undefined",
  });
  return data?.aiComments === "dim";
}

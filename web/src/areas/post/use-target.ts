import type { Comment } from "@tandem/contract/post-resources";
import { useEffect, useRef, useState } from "react";
import { useToasts } from "../../data/toasts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useAddress } from "../../router/provider.tsx";

interface PagedComments {
  hasNextPage: boolean;
  isFetching: boolean;
  isSuccess: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage(): unknown;
}

/**
 * The comment in the URL's hash (`#comment-42`), once it is loaded: loads page after page until it is. Then
 * expands its thread, scrolls to it and focuses it. Runs only in the browser, because the server doesn't get
 * the hash.
 */
export function useCommentTarget(
  pages: PagedComments,
  comments: readonly Comment[],
  expand: (id: number) => void,
): number | null {
  const { t } = useText();
  const { showError } = useToasts();
  const { hash } = useAddress();
  const targetId = Number(/^comment-(\d+)$/.exec(hash)?.[1] ?? 0);
  const [target, setTarget] = useState<number | null>(null);
  const handled = useRef(0);
  const isLoaded = comments.some(({ id }) => id === targetId);
  const { hasNextPage, isFetching, isSuccess, isFetchNextPageError, fetchNextPage } = pages;
  useEffect(() => {
    if (targetId === 0 || handled.current === targetId) return;
    if (isLoaded) {
      handled.current = targetId;
      expand(targetId);
      setTarget(targetId);
    } else if (!isSuccess || isFetching || isFetchNextPageError) return;
    else if (hasNextPage) fetchNextPage();
    else {
      handled.current = targetId;
      showError(t("thread.commentNotFound"));
    }
  }, [
    targetId,
    isLoaded,
    hasNextPage,
    isFetching,
    isSuccess,
    isFetchNextPageError,
    fetchNextPage,
    expand,
    showError,
    t,
  ]);
  useEffect(() => {
    if (target === null) return;
    const element = document.getElementById(`comment-${target}`);
    element?.scrollIntoView({ block: "center" });
    element?.focus({ preventScroll: true });
  }, [target]);
  return target;
}

import type { Comment } from "@tandem/contract/resources";
import { useRouterState } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useToasts } from "../../data/toasts.ts";
import { useText } from "../../i18n/use-text.tsx";

interface Pages {
  hasNextPage: boolean;
  isFetching: boolean;
  isSuccess: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage(): unknown;
}

/**
 * The comment that the address leads to (`#comment-42`), once it is there: page after page is asked for until it is. It is
 * unfolded, brought into view and focused, so that one reads on from it. The service doesn't see this part of an address.
 */
export function useTarget(
  pages: Pages,
  comments: readonly Comment[],
  unfold: (id: number) => void,
): number | null {
  const { t } = useText();
  const { showError } = useToasts();
  const hash = useRouterState({ select: ({ location }) => location.hash });
  const wanted = Number(/^comment-(\d+)$/.exec(hash)?.[1] ?? 0);
  const [target, setTarget] = useState<number | null>(null);
  const shown = useRef(0);
  const there = comments.some(({ id }) => id === wanted);
  const { hasNextPage, isFetching, isSuccess, isFetchNextPageError, fetchNextPage } = pages;
  useEffect(() => {
    if (wanted === 0 || shown.current === wanted) return;
    if (there) {
      shown.current = wanted;
      unfold(wanted);
      setTarget(wanted);
    } else if (!isSuccess || isFetching || isFetchNextPageError) return;
    else if (hasNextPage) fetchNextPage();
    else {
      shown.current = wanted;
      showError(t("thread.noSuchComment"));
    }
  }, [
    wanted,
    there,
    hasNextPage,
    isFetching,
    isSuccess,
    isFetchNextPageError,
    fetchNextPage,
    unfold,
    showError,
    t,
  ]);
  useEffect(() => {
    if (target === null) return;
    const place = document.getElementById(`comment-${target}`);
    place?.scrollIntoView({ block: "center" });
    place?.focus({ preventScroll: true });
  }, [target]);
  return target;
}

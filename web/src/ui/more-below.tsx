import { useEffect, useRef } from "react";
import { useText } from "../i18n/use-text.tsx";
import { Button } from "./button.tsx";
import { SkeletonCards } from "./states.tsx";

interface PagedList {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage(): unknown;
}

/** The end of a list that goes on: asks for more before the reader is there. Where that fails, a press tries again. */
export function MoreBelow({ list }: { list: PagedList }) {
  const { t } = useText();
  const end = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  const idle = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (!idle || !end.current) return;
    // A busy page hears of several changes at once: the last is how things are.
    const watch = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && fetchNextPage(), {
      rootMargin: "1200px",
    });
    watch.observe(end.current);
    return () => watch.disconnect();
  }, [idle, fetchNextPage]);
  return (
    <div ref={end} className="py-6 text-center">
      {isFetchingNextPage && <SkeletonCards count={1} />}
      {hasNextPage && !isFetchingNextPage && (
        <Button onClick={() => fetchNextPage()}>
          {t(isFetchNextPageError ? "common.again" : "common.more")}
        </Button>
      )}
    </div>
  );
}

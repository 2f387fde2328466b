import { type MouseEvent, useEffect, useRef } from "react";
import { useText } from "../i18n/use-text.tsx";
import { useAddress } from "../router/provider.tsx";
import { Button, buttonClass } from "./button.tsx";
import { SkeletonCards } from "./states.tsx";

interface PagedList {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage(): unknown;
}

/**
 * The end of a paged list: loads the next page before the reader gets there. After an error, a button
 * retries. With a `cursor`, the button is a link to this page from there on, which works without scripts too.
 * With a `pause`, which says why, only the button loads more.
 */
export function LoadMore({
  list,
  cursor,
  pause,
}: {
  list: PagedList;
  cursor?: number | null | undefined;
  pause?: string | undefined;
}) {
  const { t } = useText();
  const end = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  const canLoad = hasNextPage && !isFetchingNextPage && !isFetchNextPageError && pause === undefined;
  useEffect(() => {
    if (!canLoad || !end.current) return;
    // A busy page may receive several entries at once; the last is current.
    const observer = new IntersectionObserver(
      (entries) => entries.at(-1)?.isIntersecting && fetchNextPage(),
      {
        rootMargin: "1200px",
      },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [canLoad, fetchNextPage]);
  return (
    <div ref={end} className="py-6 text-center">
      {hasNextPage && pause !== undefined && <p className="px-4 pb-4 text-sm text-soft">{pause}</p>}
      {isFetchingNextPage && <SkeletonCards count={1} />}
      {hasNextPage && !isFetchingNextPage && (
        <MoreLink cursor={isFetchNextPageError ? null : cursor} onPress={() => fetchNextPage()}>
          {t(isFetchNextPageError ? "common.retry" : "common.more")}
        </MoreLink>
      )}
    </div>
  );
}

interface MoreProps {
  cursor: number | null | undefined;
  onPress(): void;
  children: string;
}

function MoreLink({ cursor, onPress, children }: MoreProps) {
  const query = new URLSearchParams(useAddress().query);
  if (typeof cursor !== "number") return <Button onClick={onPress}>{children}</Button>;
  query.set("cursor", String(cursor));
  const handleClick = (event: MouseEvent) => {
    // Let the browser open it, for example in a new tab.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onPress();
  };
  return (
    <a rel="next" href={`?${query}`} onClick={handleClick} className={buttonClass()}>
      {children}
    </a>
  );
}

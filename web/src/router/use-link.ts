import { type MouseEvent, useRef } from "react";
import { hrefOf, isSamePage, parseAddress, type Target } from "./address.ts";
import { useAddress, useChosen, useRouter } from "./provider.tsx";

/** Milliseconds that a pointer rests on a link before its page is preloaded. */
const REST = 50;

/** The values of `aria-current`: the page itself, or a part of the app that it belongs to. */
export type Current = "page" | "true" | undefined;

/** What a page says about one of its links: `false` if it is never current, because it doesn't choose between pages. */
export type Marked = Current | false;

/**
 * What a link to a page of the app needs: it is preloaded as soon as the reader points at it. `active` is what the page shown says
 * about the link. Once the reader has chosen another page, that page's link is the current one.
 */
export function useLink(target: Target, replace = false, active?: Marked) {
  const router = useRouter();
  const shown = useAddress();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const href = hrefOf(target);
  const own = parseAddress(href);
  const current = useChosen((chosen): Current => {
    if (active !== false && isSamePage(chosen, own)) return "page";
    return active && (active === "true" || isSamePage(chosen, shown)) ? active : undefined;
  });
  const preload = () => router.preload(target);
  return {
    href,
    current,
    preload,
    preloadSoon: () => {
      timer.current = setTimeout(preload, REST);
    },
    cancelPreload: () => clearTimeout(timer.current),
    follow(event: MouseEvent<HTMLAnchorElement>) {
      const { target: frame } = event.currentTarget;
      const isForBrowser =
        event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;
      if (event.defaultPrevented || isForBrowser || (frame && frame !== "_self")) return;
      event.preventDefault();
      void router.navigate({ ...target, replace });
    },
  };
}

import { type MouseEvent, useRef } from "react";
import { hrefOf, isSamePage, parseAddress, type Target } from "./address.ts";
import { useAddress, useRouter } from "./provider.tsx";

/** Milliseconds that a pointer rests on a link before its page is preloaded. */
const REST = 50;

/** What a link to a page of the app needs: it is preloaded as soon as the reader points at it. */
export function useLink(target: Target, replace = false) {
  const router = useRouter();
  const address = useAddress();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const href = hrefOf(target);
  const preload = () => router.preload(target);
  return {
    href,
    isCurrent: isSamePage(address, parseAddress(href)),
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

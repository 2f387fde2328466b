import type { Hooks, Router, View } from "./router.ts";

/** Where the scroll positions survive a reload, in the tab's storage. */
const STORE = "tandem-scroll";

/** Follows "back" and "forward". */
export function followHistory(router: Router, { onLeave }: Hooks): void {
  addEventListener("popstate", () => {
    onLeave();
    void router.load(currentHref());
  });
}

export const currentHref = (): string => location.pathname + location.search + location.hash;

/**
 * Remembers how far each entry of the history was scrolled. A new entry starts at its fragment, or else at
 * the top. Browsers would scroll before the page is there.
 */
export function rememberScroll(): Hooks {
  const positions = storedPositions();
  let shown: string | null = null;
  const onLeave = () => {
    if (shown !== null) positions[shown] = scrollY;
  };
  // Each time, because a page that returns from the back/forward cache doesn't start again.
  addEventListener("pageshow", () => {
    history.scrollRestoration = "manual";
  });
  history.scrollRestoration = "manual";
  addEventListener("pagehide", () => {
    history.scrollRestoration = "auto";
    onLeave();
    try {
      sessionStorage.setItem(STORE, JSON.stringify(positions));
    } catch {
      // Where storage is forbidden or full, a reloaded page starts at the top.
    }
  });
  return {
    onLeave,
    onRendered({ address }: View, before: View | null) {
      const key = entryKey();
      if (key === shown) return;
      shown = key;
      const position = positions[key];
      if (position !== undefined) return scrollTo(0, position);
      if (!before) return;
      const target = document.getElementById(address.hash);
      if (target) target.scrollIntoView();
      else if (!address.hash || address.path !== before.address.path) scrollTo(0, 0);
    },
  };
}

/** Identifies the current entry of the history. An overlay's entry has the same state as the page's. */
function entryKey(): string {
  const key = history.state?.key ?? Math.random().toString(36);
  history.replaceState({ ...history.state, key }, "");
  return key;
}

function storedPositions(): Record<string, number> {
  try {
    return JSON.parse(sessionStorage.getItem(STORE) ?? "{}");
  } catch {
    return {};
  }
}

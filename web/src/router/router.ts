import { type AddressValues, type LoadedPage, NotFound } from "../shared/page.ts";
import { type Address, hrefOf, isSamePage, parseAddress, type Target } from "./address.ts";
import { type Match, matchPath } from "./match.ts";

/** What the app shows: a page, or why it can't be shown. */
export interface View {
  address: Address;
  /** Null if the address belongs to no page. */
  match: Match | null;
  page?: LoadedPage;
  /** A `NotFound` if there is no such page, or what loading it threw. */
  error?: unknown;
}

/** What to do in a browser. */
export interface Hooks {
  /** Called before the URL changes. */
  onLeave(): void;
  /** Called when a view is in the document, with the view before it. */
  onRendered(view: View, before: View | null): void;
}

export type LoadPage = (match: Match, search: AddressValues) => Promise<LoadedPage>;
export type Router = ReturnType<typeof createRouter>;

/**
 * Creates a router, which holds the current view. `load` sets it, on the server too. In the browser,
 * `navigate` also changes the URL, first; the old view stays until the new page has its code and data. Of
 * several navigations, the last wins.
 */
export function createRouter(loadPage: LoadPage, hooks?: Hooks) {
  let attempts = 0;
  let rendered: View | null = null;
  let awaitingRender: (() => void)[] = [];
  const watchers = new Set<() => void>();
  const update = (change: { view?: View; pending: Address | null }) => {
    Object.assign(router, change);
    for (const watcher of watchers) watcher();
  };

  const loadView = async (address: Address): Promise<View> => {
    const match = matchPath(address.path);
    if (!match) return { address, match, error: new NotFound() };
    return loadPage(match, address.search).then(
      (page) => ({ address, match, page }),
      (error) => ({ address, match, error }),
    );
  };

  const router = {
    view: null as View | null,
    /** The address of the view that is on its way. */
    pending: null as Address | null,

    subscribe(watcher: () => void): () => void {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },

    /**
     * Shows the page at an address. If that page is shown already, only its address changes, unless
     * `isRetry`. Resolves to whether it happened, because a later call may have replaced it.
     */
    async load(href: string, isRetry = false): Promise<boolean> {
      const attempt = ++attempts;
      const address = parseAddress(href);
      const { view } = router;
      const isShown = view?.page !== undefined && !isRetry && isSamePage(view.address, address);
      if (!isShown) update({ pending: address });
      const next = isShown ? { ...view, address } : await loadView(address);
      if (attempt !== attempts) return false;
      update({ view: next, pending: null });
      return true;
    },

    /** Shows that there is no page at an address, as the server found. */
    showMissing(href: string): void {
      const address = parseAddress(href);
      update({ view: { address, match: matchPath(address.path), error: new NotFound() }, pending: null });
    },

    /** Loads the current page again, after an error. */
    async reload(): Promise<void> {
      if (router.view) await router.load(router.view.address.href, true);
    },

    /** Loads a page's code and data before the reader goes there. An error doesn't matter yet. */
    preload(target: Target): void {
      const { path, search } = parseAddress(hrefOf(target));
      const match = matchPath(path);
      if (match) loadPage(match, search).catch(() => {});
    },

    /** Resolves when the page is rendered, or when a later navigation has replaced this one. */
    async navigate({
      replace = false,
      ...target
    }: Target & { replace?: boolean | undefined }): Promise<void> {
      const href = hrefOf(target);
      hooks?.onLeave();
      // As browsers do, a link to the address shown adds no entry to the history.
      const isReplaced = replace || href === router.view?.address.href;
      history[isReplaced ? "replaceState" : "pushState"](null, "", href);
      if (await router.load(href)) await new Promise<void>((resolve) => awaitingRender.push(resolve));
    },

    /** The provider calls this when a view is in the document. */
    markRendered(view: View): void {
      hooks?.onRendered(view, rendered);
      rendered = view;
      for (const resolve of awaitingRender) resolve();
      awaitingRender = [];
    },
  };
  return router;
}

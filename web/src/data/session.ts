import { TandemError } from "@tandem/client";
import type { AppContext } from "../shared/context.ts";
import { meQuery } from "./me.ts";

/** One channel per document, because a channel doesn't receive its own messages. */
let tabs: BroadcastChannel | null = null;

/**
 * Loads a new document after a log-out, here and in all other tabs, so that no data of one user is left for
 * another.
 */
export function reloadAfterLogout(address: string): void {
  tabs?.postMessage(null);
  location.assign(address);
}

/** The same after a log-in. Replaces the history entry, because going back to the log-in page makes no sense. */
export function reloadAfterLogin(address: string): void {
  tabs?.postMessage(null);
  location.replace(address);
}

/**
 * Reloads when another tab logs in or out, and when the browser restores a page from its back/forward cache.
 * Keeps the page if the user is still the same.
 */
export function watchSession({ api, queryClient }: AppContext): void {
  tabs = new BroadcastChannel("tandem-session");
  tabs.onmessage = async () => {
    const before = queryClient.getQueryData(meQuery(api).queryKey)?.id;
    // Without a network, assume the same user.
    const current = await api.me().then(
      ({ user }) => user.id,
      (error) => (error instanceof TandemError && error.status === 0 ? before : undefined),
    );
    if (current !== before) location.reload();
  };
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
}

import { TandemError } from "@tandem/client";
import type { AppContext } from "../shared/context.ts";
import { meQuery } from "./me.ts";

/** One for the whole document: what it says itself it doesn't hear. */
let tabs: BroadcastChannel | null = null;

/**
 * Whoever goes begins with a new document: nothing that was read, typed or kept for one is there for another. So do the other
 * tabs, which would go on as whoever was here.
 */
export function reloadAfterLogout(address: string): void {
  tabs?.postMessage(null);
  location.assign(address);
}

/** The same for whoever comes. Where they came in is no place to go back to. */
export function reloadAfterLogin(address: string): void {
  tabs?.postMessage(null);
  location.replace(address);
}

/**
 * Begins anew where another tab has, and where the browser brings back a page as it was left. Whoever only comes back as
 * the same finds what they were at.
 */
export function watchSession({ api, queryClient }: AppContext): void {
  tabs = new BroadcastChannel("tandem-session");
  tabs.onmessage = async () => {
    const before = queryClient.getQueryData(meQuery(api).queryKey)?.id;
    // Without a network nobody knows who it is now.
    const current = await api.me().then(
      ({ user }) => user.id,
      (error) => (error instanceof TandemError && error.status === 0 ? before : undefined),
    );
    if (current !== before) location.reload();
  };
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
}

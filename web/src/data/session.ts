import { useAction } from "./actions.ts";

/** One for the whole document: what it says itself it doesn't hear. */
let tabs: BroadcastChannel | null = null;

/**
 * Whoever comes or goes begins with a new document: nothing that was read, typed or kept for one is there for another. So do
 * the other tabs, which would go on as whoever was here.
 */
export function beginAnew(address: string): void {
  tabs?.postMessage(null);
  location.assign(address);
}

/** Begins anew where another tab has, and where the browser brings back a page as it was left. */
export function followSession(): void {
  tabs = new BroadcastChannel("tandem-session");
  tabs.onmessage = () => location.reload();
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
}

/** Ends the session, here and on the server; and nothing is pushed here any more. */
export function useLogOut() {
  return useAction(
    async (api) => {
      await api.logOut();
      await import("./push.ts").then(({ leave }) => leave(api)).catch(() => {});
    },
    { after: () => beginAnew("/") },
  );
}

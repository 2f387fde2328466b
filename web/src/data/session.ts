import { useAction } from "./actions.ts";

const changes = () => new BroadcastChannel("tandem-session");

/**
 * Whoever comes or goes begins with a new document: nothing that was read, typed or kept for one is there for another. So do
 * the other tabs, which would go on as whoever was here.
 */
export function beginAnew(address: string): void {
  const tabs = changes();
  tabs.postMessage(null);
  tabs.close();
  location.assign(address);
}

/** Begins anew where another tab has, and where the browser brings back a page as it was left. */
export function followSession(): void {
  changes().onmessage = () => location.reload();
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
}

/** Ends the session, here and on the server. */
export function useLogOut() {
  return useAction((api) => api.logOut(), { after: () => beginAnew("/") });
}

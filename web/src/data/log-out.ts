import { clearStoredDrafts } from "./draft-storage.ts";
import { forgetFeedOfOthers } from "./last-feed.ts";
import { useMe } from "./me.ts";
import { reloadAfterLogout } from "./session.ts";
import { useAction } from "./use-action.ts";

/**
 * Ends the session, and this browser's push subscription. From an agent's session, leads to the page to log in again, and
 * then to `next`.
 */
export function useLogOut(next?: string) {
  const isAgent = useMe()?.role === "agent";
  const returnAddress = next ? `/return?next=${encodeURIComponent(next)}` : "/return";
  const endLocalSession = useEndLocalSession(isAgent ? returnAddress : "/");
  return useAction(
    async (api) => {
      await api.logOut();
      await endPush();
    },
    { onSuccess: endLocalSession },
  );
}

/** Acts as an agent from now on, which ends the reader's own session in this browser. */
export function useActAsAgent(id: number) {
  const endLocalSession = useEndLocalSession("/");
  return useAction(
    async (api) => {
      await api.openAgentSession({ id });
      await endPush();
    },
    { onSuccess: endLocalSession },
  );
}

/** The server has ended it with the session. */
async function endPush(): Promise<void> {
  await import("./push.ts").then(({ unsubscribe }) => unsubscribe()).catch(() => {});
}

/** Deletes what the browser stored for the reader and reloads the app in all tabs, at that address. */
export function useEndLocalSession(address: string): () => void {
  const me = useMe();
  return () => {
    if (me) clearStoredDrafts(me.id);
    forgetFeedOfOthers(null);
    reloadAfterLogout(address);
  };
}

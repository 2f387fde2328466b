import { clearStoredDrafts } from "./draft-storage.ts";
import { useMe } from "./me.ts";
import { reloadAfterLogout } from "./session.ts";
import { useAction } from "./use-action.ts";

/** Ends the session, and this browser's push subscription. */
export function useLogOut() {
  const endLocalSession = useEndLocalSession();
  return useAction(
    async (api) => {
      await api.logOut();
      await import("./push.ts")
        .then(({ unsubscribeAfterLogout }) => unsubscribeAfterLogout(api))
        .catch(() => {});
    },
    { onSuccess: endLocalSession },
  );
}

/** Deletes the reader's stored drafts and reloads the app in all tabs. */
export function useEndLocalSession(): () => void {
  const me = useMe();
  return () => {
    if (me) clearStoredDrafts(me.id);
    reloadAfterLogout("/");
  };
}

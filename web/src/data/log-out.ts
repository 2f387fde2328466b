import { clearStoredDrafts } from "./draft-storage.ts";
import { useMe } from "./me.ts";
import { reloadAfterLogout } from "./session.ts";
import { useAction } from "./use-action.ts";

/** Ends the session, here and on the server; and nothing is pushed here any more. */
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

/** Takes whoever reads out of this browser, with all that they were writing. */
export function useEndLocalSession(): () => void {
  const me = useMe();
  return () => {
    if (me) clearStoredDrafts(me.id);
    reloadAfterLogout("/");
  };
}

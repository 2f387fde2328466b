import { useAction } from "./actions.ts";

/**
 * Whoever comes or goes begins with a new document: nothing that was read, typed or kept for one is there for another.
 */
export function beginAnew(address: string): void {
  location.assign(address);
}

/** Ends the session, here and on the server. */
export function useLogOut() {
  return useAction((api) => api.logOut(), { after: () => beginAnew("/") });
}

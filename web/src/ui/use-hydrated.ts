import { useSyncExternalStore } from "react";

const subscribeNever = () => () => {};

/** Whether the page has hydrated, so that the reader's clock and window are known. False on the server. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeNever,
    () => true,
    () => false,
  );
}

import { useSyncExternalStore } from "react";

const subscribeNever = () => () => {};

/** Whether the page is alive in a browser, and so knows the reader's clock and window; false for what the service draws. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeNever,
    () => true,
    () => false,
  );
}

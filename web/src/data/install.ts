import { useSyncExternalStore } from "react";

/** What a browser offers that can put the app among those of the device (not standardised, and not in every one). */
interface Offer extends Event {
  prompt(): Promise<unknown>;
}

let offer: Offer | null = null;
const listeners = new Set<() => void>();

function set(now: Offer | null): void {
  offer = now;
  for (const listener of listeners) listener();
}

/** Keeps the browser's offer for when somebody asks for it: it comes once, soon after the page, and would be in the way. */
export function keepOffer(): void {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    set(event as Offer);
  });
  addEventListener("appinstalled", () => set(null));
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What installs the app; null where the browser offers nothing of the kind. */
export function useInstall(): (() => void) | null {
  const now = useSyncExternalStore(
    listen,
    () => offer,
    () => null,
  );
  return (
    now &&
    (() => {
      set(null);
      void now.prompt();
    })
  );
}

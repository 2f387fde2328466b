import { useSyncExternalStore } from "react";

/** What a browser offers that can put the app among those of the device (not standardised, and not in every one). */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

let deferredPrompt: InstallPrompt | null = null;
const listeners = new Set<() => void>();

function setPrompt(prompt: InstallPrompt | null): void {
  deferredPrompt = prompt;
  for (const listener of listeners) listener();
}

/** Keeps the browser's offer for when somebody asks for it: it comes once, soon after the page, and would be in the way. */
export function captureInstallPrompt(): void {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    setPrompt(event as InstallPrompt);
  });
  addEventListener("appinstalled", () => setPrompt(null));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What installs the app; null where the browser offers nothing of the kind. */
export function useInstallPrompt(): (() => void) | null {
  const prompt = useSyncExternalStore(
    subscribe,
    () => deferredPrompt,
    () => null,
  );
  return (
    prompt &&
    (() => {
      setPrompt(null);
      void prompt.prompt();
    })
  );
}

import { useSyncExternalStore } from "react";

/** The `beforeinstallprompt` event: not standardized, and not in every browser. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

let deferredPrompt: InstallPrompt | null = null;
const listeners = new Set<() => void>();

function setPrompt(prompt: InstallPrompt | null): void {
  deferredPrompt = prompt;
  for (const listener of listeners) listener();
}

/**
 * Saves the browser's install prompt until the reader asks for it. It comes once, soon after the page loads.
 */
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

/** Opens the install prompt; null if the browser has none. */
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

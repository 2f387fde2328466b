/** Milliseconds to wait after the page has loaded. */
const REGISTER_DELAY = 1_000;

/** Registers the service worker once the page has nothing else to load. */
export function registerWorker(locale: string): void {
  // Only available on secure connections.
  if (!("serviceWorker" in navigator)) return;
  const register = () =>
    setTimeout(() => {
      // Optional: without it, the app works as long as there is a network.
      startWorker(locale).catch(() => {});
    }, REGISTER_DELAY);
  if (document.readyState === "complete") register();
  else addEventListener("load", register, { once: true });
}

/** Registers the service worker. Returns the existing registration if there is one. */
export const startWorker = (locale: string): Promise<ServiceWorkerRegistration> =>
  navigator.serviceWorker.register(`/sw.js?locale=${locale}`);

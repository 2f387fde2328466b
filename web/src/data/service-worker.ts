/** Milliseconds after the page has loaded in which nothing is done that it could do without. */
const REGISTER_DELAY = 1_000;

/** Keeps the app at hand for when there is no network, once the page is there and has nothing else to load. */
export function registerWorker(locale: string): void {
  // Only where the connection is secure.
  if (!("serviceWorker" in navigator)) return;
  const register = () =>
    setTimeout(() => {
      // Without it, everything works that there is a network for.
      startWorker(locale).catch(() => {});
    }, REGISTER_DELAY);
  if (document.readyState === "complete") register();
  else addEventListener("load", register, { once: true });
}

/** The same worker, if it is there already. */
export const startWorker = (locale: string): Promise<ServiceWorkerRegistration> =>
  navigator.serviceWorker.register(`/sw.js?locale=${locale}`);

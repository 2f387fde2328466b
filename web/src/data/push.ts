import type { Client } from "@tandem/client";
import { queryOptions } from "@tanstack/react-query";
import { subscribe } from "./push-subscription.ts";
import { startWorker } from "./service-worker.ts";

/** The browsers that notices are pushed to, and what this one is to subscribe with. */
export const pushSubscriptionsQuery = (api: Client) =>
  queryOptions({
    queryKey: ["push", "browsers"],
    queryFn: ({ signal }) => api.listPushSubscriptions(undefined, { signal }),
  });

/** What this browser says: whether it can, whether it may, and whether it has a subscription. */
export type BrowserPushState = "unsupported" | "denied" | "unsubscribed" | "subscribed";

/** Looked up again whenever somebody comes back to the page: what a browser allows is set elsewhere. */
export const browserPushQuery = queryOptions({
  queryKey: ["push", "here"],
  queryFn: readBrowserState,
  refetchOnWindowFocus: "always",
});

async function readBrowserState(): Promise<BrowserPushState> {
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window))
    return "unsupported";
  if (Notification.permission === "denied") return "denied";
  return (await subscription()) ? "subscribed" : "unsubscribed";
}

async function subscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker?.getRegistration();
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

/** How a press on "show them here" went. */
export type EnablePushResult = "on" | "denied" | "undecided";

/** Asks for leave, which only a press may do, and has notices pushed here. Throws where browser or service can't. */
export async function enablePush(
  api: Client,
  { key, locale }: { key: string; locale: string },
): Promise<EnablePushResult> {
  const permission = await Notification.requestPermission();
  if (permission !== "granted") return permission === "denied" ? "denied" : "undecided";
  await startWorker(locale);
  const { pushManager } = await navigator.serviceWorker.ready;
  const created = await subscribe(pushManager, key);
  try {
    await api.subscribeToPush(created);
  } catch (error) {
    await unsubscribe();
    throw error;
  }
  return "on";
}

/** After a log-out nothing is left here to push to; unless it was out of an agent's session, back into one's own. */
export async function unsubscribeAfterLogout(api: Client): Promise<void> {
  if (!(await subscription())) return;
  const stillSubscribed = await api.listPushSubscriptions().then(
    ({ subscriptions }) => subscriptions.some(({ current }) => current),
    () => false,
  );
  if (!stillSubscribed) await unsubscribe();
}

/** Ends the browser's own subscription. That takes its time with its push service; nobody need wait for it. */
export async function unsubscribe(): Promise<void> {
  void (await subscription())?.unsubscribe().catch(() => {});
}

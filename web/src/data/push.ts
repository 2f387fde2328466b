import type { FlatClient } from "@tandem/client";
import { queryOptions } from "@tanstack/react-query";
import { subscribe } from "./push-subscription.ts";
import { startWorker } from "./service-worker.ts";

/** The browsers subscribed to push, and the key to subscribe with. */
export const pushSubscriptionsQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: ["push", "browsers"],
    queryFn: ({ signal }) => api.listPushSubscriptions(undefined, { signal }),
  });

/** This browser's push state: whether it supports push, denies permission, or has a subscription. */
export type BrowserPushState = "unsupported" | "denied" | "unsubscribed" | "subscribed";

/** Refetched on focus, because permissions change in the browser's settings. */
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

/** The result of asking for permission. */
export type EnablePushResult = "on" | "denied" | "undecided";

/**
 * Asks for permission, which needs a click, and subscribes this browser. Throws if the browser or the API
 * can't.
 */
export async function enablePush(
  api: FlatClient,
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

/** Ends the browser's subscription. Doesn't wait for the push service, which can be slow. */
export async function unsubscribe(): Promise<void> {
  void (await subscription())?.unsubscribe().catch(() => {});
}

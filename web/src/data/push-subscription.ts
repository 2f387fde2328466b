/* Subscribes a browser to push, from the page or from the service worker. */

/** The part of a browser's subscription that the API takes. */
export interface SubscriptionKeys {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** Replaces any existing subscription, which may belong to another user or use another key. */
export async function subscribe(
  manager: PushManager,
  applicationServerKey: string,
): Promise<SubscriptionKeys> {
  await (await manager.getSubscription())?.unsubscribe();
  const subscription = await manager.subscribe({ userVisibleOnly: true, applicationServerKey });
  const { p256dh = "", auth = "" } = subscription.toJSON().keys ?? {};
  return { endpoint: subscription.endpoint, p256dh, auth };
}

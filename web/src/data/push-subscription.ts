/* How a browser subscribes to pushes, wherever it is asked to: by a press on a page, or by the browser itself, in the worker. */

/** The part of the browser's subscription that the service takes. */
export interface SubscriptionKeys {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** Subscribes anew: what was subscribed before may have been somebody else's, or made with another key. */
export async function subscribe(
  manager: PushManager,
  applicationServerKey: string,
): Promise<SubscriptionKeys> {
  await (await manager.getSubscription())?.unsubscribe();
  const subscription = await manager.subscribe({ userVisibleOnly: true, applicationServerKey });
  const { p256dh = "", auth = "" } = subscription.toJSON().keys ?? {};
  return { endpoint: subscription.endpoint, p256dh, auth };
}

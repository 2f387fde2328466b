import { operations } from "@tandem/contract/operations";

/** The path of the push subscriptions. The service worker has no API client. */
export const subscriptionsPath = operations.subscribeToPush.path;

/** The path of the notifications, by which they are marked as read. */
export const notificationsApiPath = operations.markNotificationsRead.path;

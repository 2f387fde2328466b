/** Published when an account's notifications, messages or unread counts change. */
export const userChannel = (userId: number): string => `inbox ${userId}`;

/** The user ids among channels; other channels are ignored. */
export function usersAmong(channels: Iterable<string>): number[] {
  return [...channels].flatMap((channel) => (channel.startsWith("inbox ") ? Number(channel.slice(6)) : []));
}

/** Published when webhooks have something to send. */
export const OUTBOX = "outbox";

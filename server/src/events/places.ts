/** Where an account's notifications or messages changed, or how many of them are unread. */
export const inboxOf = (userId: number): string => `inbox ${userId}`;

/** The accounts among places; others are passed over. */
export function accountsAmong(places: Iterable<string>): number[] {
  return [...places].flatMap((place) => (place.startsWith("inbox ") ? Number(place.slice(6)) : []));
}

/** Where webhooks have something to send. */
export const OUTBOX = "outbox";

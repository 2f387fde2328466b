import Type, { type Static } from "typebox";
import type { Notification } from "./notifications.ts";
import { Id, nullable, Time } from "./schema.ts";

export const PushSubscription = Type.Object(
  {
    id: Id,
    current: Type.Boolean({ description: "Whether this is the browser that asks." }),
    device: nullable(Type.String({ "x-user-text": true }), {
      description: "What the browser said of itself when its session began.",
      examples: ["Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"],
    }),
    failingSince: nullable(Time, {
      description: "Since when nothing has got through; null while all is well.",
      examples: [null],
    }),
    createdAt: Time,
  },
  {
    $id: "PushSubscription",
    description: "A browser that notifications are pushed to, as its owner sees it.",
  },
);
export type PushSubscription = Static<typeof PushSubscription>;

/** A notification as it is pushed, with what its post is called. */
export type PushNotice = Notification & { title: string | null };

/** What a browser finds in a push, once it has decrypted it. */
export interface PushMessage {
  /** Whether somebody tries it out; there are no notices then. */
  test: boolean;
  /** What is new and unread, the newest first, as far as there was room for it. */
  notices: PushNotice[];
}

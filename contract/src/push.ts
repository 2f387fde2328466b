import Type, { type Static } from "typebox";
import type { Notification } from "./notifications.ts";
import type { Provenance } from "./provenance.ts";
import { Id, nullable, Time } from "./schema.ts";

export const PushSubscription = Type.Object(
  {
    id: Id,
    current: Type.Boolean({ description: "Whether this is the browser that sent the request." }),
    device: nullable(Type.String({ "x-user-text": true }), {
      description: "The browser's `User-Agent` when its session began.",
      examples: ["Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"],
    }),
    failingSince: nullable(Time, {
      description: "Since when every push has failed; null if the last one succeeded.",
      examples: [null],
    }),
    createdAt: Time,
  },
  {
    $id: "PushSubscription",
    description: "A browser that gets push notifications, as its owner sees it.",
  },
);
export type PushSubscription = Static<typeof PushSubscription>;

type ExcerptFields = Pick<Notification, "excerpt" | "excerptProvenance" | "excerptProvenanceBasis">;

/** A notification as it is pushed: with the title of its post, and who wrote it, instead of what it quotes. */
export type PushNotification = Omit<Notification, keyof ExcerptFields> & {
  title: string | null;
  /** Null without a title. */
  titleProvenance: Provenance | null;
};

/** The decrypted payload of a push. */
export interface PushMessage {
  /** Whether this is a test push; `notices` is empty then. */
  test: boolean;
  /** New unread notifications, newest first, as many as fit in the payload. */
  notices: PushNotification[];
}

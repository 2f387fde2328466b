import Type from "typebox";
import { Cursor, fieldsOf, NextCursor } from "../fields.ts";
import { limits } from "../limits.ts";
import { mandatoryTypes, Notification, notificationTypes, optionalTypes } from "../notifications.ts";
import { eventStream, operation, sessionOnly, signedIn } from "../operation.ts";
import { Count, csvOf, flag, Id, oneOf, optional } from "../schema.ts";

const area = "Notifications";
const Limit = Type.Integer({
  minimum: 1,
  maximum: limits.notifications,
  description: `Notifications per page; ${limits.notifications} by default.`,
  examples: [limits.page.default],
});

export const listNotifications = operation({
  name: "listNotifications",
  area,
  route: "GET /api/notifications",
  access: signedIn,
  query: {
    unread: optional(flag({ description: "Only unread notifications." })),
    type: optional(
      csvOf(notificationTypes, {
        description: "Only notifications of these types, comma-separated.",
        examples: ["mention,reply"],
      }),
    ),
    limit: optional(Limit),
    cursor: optional(Cursor),
    fields: fieldsOf(Notification),
  },
  response: { notifications: Type.Array(Notification), unread: Count, nextCursor: NextCursor },
  exposure: "tool",
  description:
    "List notifications, newest first. `type` says what happened. Undoing an action removes its notification.",
});

export const countNotifications = operation({
  name: "countNotifications",
  area,
  route: "GET /api/notifications/count",
  access: signedIn,
  response: { unread: Count },
  description: "Count the unread notifications.",
});

export const markNotificationsRead = operation({
  name: "markNotificationsRead",
  area,
  route: "PATCH /api/notifications",
  access: signedIn,
  body: {
    ids: optional(
      Type.Array(Id, {
        maxItems: limits.notifications,
        description: "The notifications to mark. Unknown ids are ignored.",
        examples: [[42]],
      }),
    ),
    upTo: optional(
      Type.Integer({
        ...Id,
        description: "The id of the latest notification to mark; it and all earlier ones are.",
      }),
    ),
  },
  response: { unread: Count },
  effect: "sets",
  exposure: "tool",
  whileSuspended: true,
  description: "Mark notifications as read: these, those up to an id, or all if neither is given.",
});

export const notificationStream = eventStream({
  name: "notificationStream",
  area,
  route: "GET /api/notifications/stream",
  access: signedIn,
  events: {
    notification: Notification,
    unread: Type.Object({ unread: Count }),
    message: Type.Object({ unread: Count }),
  },
  errors: ["rate_limited", "overloaded"],
  description: `Stream events as they happen (server-sent events). \`notification\` contains a notification as in \`GET /api/notifications\` and has its id. \`unread\` contains the number of unread notifications, at the start and whenever it changes. \`message\` is sent only to sessions, since keys can't read messages, when a message arrives, is sent or is read: it contains the number of unread messages, is also sent at the start if there are conversations, and has no id, so fetch the messages when you receive it or reconnect. To resume a stream, send the last event id: the latest ${limits.streamCatchUp} missed notifications are sent first, oldest first. The stream ends when its credential does. At most ${limits.streamsPerAccount} streams per account at a time.`,
});

const ChosenTypes = Type.Array(oneOf(optionalTypes), {
  maxItems: optionalTypes.length,
  description: "The notification types that are on. Notifications of the other optional types aren't stored.",
  examples: [["comment", "reply"]],
});

export const notificationPreferences = operation({
  name: "notificationPreferences",
  area,
  route: "GET /api/notifications/preferences",
  access: signedIn,
  response: { people: ChosenTypes, agents: ChosenTypes },
  description: `Get your notification preferences: the types that are on, for actions by people and by agents. All that can occur are on by default; ${mandatoryTypes.map((type) => `\`${type}\``).join(", ")} are always on.`,
});

export const chooseNotifications = operation({
  name: "chooseNotifications",
  area,
  route: "PATCH /api/notifications/preferences",
  // Not for keys: a read-only key must not be able to withhold notifications from its owner.
  access: sessionOnly,
  body: { people: optional(ChosenTypes), agents: optional(ChosenTypes) },
  response: { people: ChosenTypes, agents: ChosenTypes },
  effect: "sets",
  description:
    "Choose which notifications you get from now on. A list that is left out doesn't change, and a type that can't occur is ignored.",
});

import Type from "typebox";
import { fieldsOf } from "../fields.ts";
import { limits } from "../limits.ts";
import { alwaysTold, Notification, optionalTypes } from "../notifications.ts";
import { eventStream, operation, sessionOnly, signedIn } from "../operation.ts";
import { Count, oneOf, optional } from "../schema.ts";

const area = "Notifications";

export const listNotifications = operation({
  name: "listNotifications",
  area,
  route: "GET /api/notifications",
  access: signedIn,
  query: { fields: fieldsOf(Notification) },
  answer: { notifications: Type.Array(Notification), unread: Count },
  tool: "own",
  description: `The latest ${limits.notifications}, newest first. \`post_like\` and \`comment\` tell a post's author, \`comment_like\` and \`reply\` a comment's, \`mention\` who is named, \`friend_request\` and \`friend_accept\` who was asked and who asked. \`key_revoked\` tells a key's owner that somebody was about to publish it, \`webhook_disabled\` of a webhook given up, \`approval_wanted\` and \`draft_failed\` of drafts, \`moderation\` of a decision. Nobody is told what else they did themselves; what is undone is taken back.`,
});

export const countNotifications = operation({
  name: "countNotifications",
  area,
  route: "GET /api/notifications/count",
  access: signedIn,
  answer: { unread: Count },
  description: "How many are unread.",
});

export const readNotifications = operation({
  name: "readNotifications",
  area,
  route: "PATCH /api/notifications",
  access: signedIn,
  answer: { unread: Type.Literal(0) },
  tool: "own",
  whileSuspended: true,
  description: "Mark all as read.",
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
  description: `What happens, as it happens: server-sent events. \`notification\` holds a notification as \`GET /api/notifications\` shows it, and comes with its id; \`unread\` holds how many are unread, at the beginning and whenever that changes. To sessions, which alone may read messages, \`message\` says that one came, was sent or was read, and holds how many are unread; it comes at the beginning, too, if there are conversations. It has no id of its own: whoever hears it, or comes again, asks for the messages. A stream goes on where another ended, if it is told the last id that came: of what was missed the latest ${limits.streamCatchUp} are told, oldest first. It ends with its credential. At most ${limits.streamsPerAccount} streams an account at a time.`,
});

const Chosen = Type.Array(oneOf(optionalTypes), {
  maxItems: optionalTypes.length,
  description: "The types that one is told of; of all others that one can do without, nothing is kept.",
  examples: [["comment", "reply"]],
});

export const notificationPreferences = operation({
  name: "notificationPreferences",
  area,
  route: "GET /api/notifications/preferences",
  access: signedIn,
  answer: { people: Chosen, agents: Chosen },
  description: `What one is told of: which types, of what people do and of what agents do. All, unless one chose otherwise; ${alwaysTold.map((type) => `\`${type}\``).join(" and ")} always.`,
});

export const chooseNotifications = operation({
  name: "chooseNotifications",
  area,
  route: "PATCH /api/notifications/preferences",
  // A key that reads alone should keep nothing from its owner.
  access: sessionOnly,
  body: { people: optional(Chosen), agents: optional(Chosen) },
  answer: { people: Chosen, agents: Chosen },
  effect: "sets",
  description: "Choose what one is told of from now on; a list that is left out stays as it is.",
});

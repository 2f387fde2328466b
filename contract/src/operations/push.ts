import Type from "typebox";
import { byId, fieldsOf } from "../fields.ts";
import { limits } from "../limits.ts";
import { operation, peopleOnly } from "../operation.ts";
import { PushSubscription } from "../push.ts";

const area = "Notifications";
/** Browsers belong to people; agents have none. */
const access = peopleOnly;

/** A key in a browser's `PushSubscription.toJSON()`: `count` bytes in base64url. */
const keyBytes = (count: number, description: string, example: string) =>
  Type.String({
    // The pattern also bounds the length.
    pattern: `^[A-Za-z0-9_-]{${Math.ceil((count * 8) / 6)}}$`,
    "x-rule": `must be ${count} bytes in base64url, without padding`,
    description,
    examples: [example],
  });

const Endpoint = Type.String({
  maxLength: limits.url,
  pattern: "^https?://[!-~]+$",
  "x-rule": "must be an https address",
  description: "The subscription's `endpoint`.",
  examples: ["https://push.example.org/send/dGhlIGVuZ2luZQ"],
});

export const listPushSubscriptions = operation({
  name: "listPushSubscriptions",
  area,
  route: "GET /api/push/subscriptions",
  access,
  query: { fields: fieldsOf(PushSubscription) },
  response: {
    applicationServerKey: Type.String({
      description: "The service's public key (RFC 8292), which a browser subscribes with, in base64url.",
      examples: ["BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"],
    }),
    subscriptions: Type.Array(PushSubscription),
  },
  description:
    "List the browsers that get your push notifications, newest first, and the key that a browser subscribes with.",
});

export const subscribeToPush = operation({
  name: "subscribeToPush",
  area,
  route: "POST /api/push/subscriptions",
  access,
  body: {
    endpoint: Endpoint,
    p256dh: keyBytes(
      65,
      "Its `keys.p256dh`.",
      "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    ),
    auth: keyBytes(16, "Its `keys.auth`.", "BTBZMqHH6r4Tts7J_aSIgg"),
  },
  response: { subscription: PushSubscription },
  errors: ["push_limit"],
  effect: "sets",
  description: `Subscribe this browser to push notifications (RFC 8030), even while no page is open. Send the subscription that the browser created with \`applicationServerKey\`, as returned by \`toJSON()\`. The account's unread notifications are sent, encrypted for the browser (RFC 8291). A session has one subscription, which ends with it; a browser belongs to the account that subscribed it last. At most ${limits.pushSubscriptionsPerAccount} per account.`,
});

export const endPushSubscription = operation({
  name: "endPushSubscription",
  area,
  route: "DELETE /api/push/subscriptions",
  access,
  body: byId,
  response: { ended: Type.Literal(true) },
  errors: ["not_found"],
  whileSuspended: true,
  description: "Stop push notifications to a browser.",
});

export const testPush = operation({
  name: "testPush",
  area,
  route: "POST /api/push/subscriptions/{id}/test",
  access,
  params: byId,
  response: { subscription: PushSubscription },
  errors: ["not_found"],
  description: "Send a test push notification to a browser.",
});

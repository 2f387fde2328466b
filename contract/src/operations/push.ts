import Type from "typebox";
import { byId, fieldsOf } from "../fields.ts";
import { limits } from "../limits.ts";
import { operation, peopleOnly } from "../operation.ts";
import { PushSubscription } from "../push.ts";

const area = "Notifications";
/** A browser is somebody's; what their agents are told of, they hear where it concerns them. */
const access = peopleOnly;

/** What a browser's `PushSubscription.toJSON()` gives under `keys`: so many bytes, in base64url. */
const bytes = (count: number, description: string, example: string) =>
  Type.String({
    // As ASCII it bounds the length in itself.
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
  answer: {
    applicationServerKey: Type.String({
      description: "What a browser is to subscribe with: the service's public key (RFC 8292), in base64url.",
      examples: ["BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"],
    }),
    subscriptions: Type.Array(PushSubscription),
  },
  description:
    "The browsers that the caller's notifications are pushed to, the newest first, and what this one is to subscribe with.",
});

export const subscribeToPush = operation({
  name: "subscribeToPush",
  area,
  route: "POST /api/push/subscriptions",
  access,
  body: {
    endpoint: Endpoint,
    p256dh: bytes(
      65,
      "Its `keys.p256dh`.",
      "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    ),
    auth: bytes(16, "Its `keys.auth`.", "BTBZMqHH6r4Tts7J_aSIgg"),
  },
  answer: { subscription: PushSubscription },
  errors: ["push_limit"],
  effect: "sets",
  description: `Have notifications pushed to this browser (RFC 8030), also while no page is open: by the subscription that it made with \`applicationServerKey\`, as \`toJSON()\` gives it. Sent is what the account is told of and hasn't read, encrypted for the browser alone (RFC 8291). A session has one subscription, which ends with it; a browser is whose it was last. At most ${limits.pushSubscriptionsPerAccount} an account.`,
});

export const endPushSubscription = operation({
  name: "endPushSubscription",
  area,
  route: "DELETE /api/push/subscriptions",
  access,
  body: byId,
  answer: { ended: Type.Literal(true) },
  errors: ["not_found"],
  whileSuspended: true,
  description: "Push nothing to a browser any more.",
});

export const testPush = operation({
  name: "testPush",
  area,
  route: "POST /api/push/subscriptions/{id}/test",
  access,
  params: byId,
  answer: { subscription: PushSubscription },
  errors: ["not_found"],
  description: "Push something to a browser to try it out.",
});

import Type, { type Static } from "typebox";
import { notificationTypes } from "./notifications.ts";
import { Count, Id, nullable, oneOf, Time } from "./schema.ts";

/** `gone`: the receiver said so (410). `failing`: nothing arrived for too long. */
export const webhookStates = ["working", "off", "gone", "failing"] as const;
export type WebhookState = (typeof webhookStates)[number];

export const Webhook = Type.Object(
  {
    id: Id,
    agentId: nullable(Id, { description: "The agent whose notifications are sent; null for one's own." }),
    url: Type.String({ "x-user-text": true, examples: ["https://example.org/hook"] }),
    types: nullable(Type.Array(oneOf(notificationTypes)), {
      description: "The types of notifications that are sent; null for all.",
      examples: [null],
    }),
    enabled: Type.Boolean(),
    state: oneOf(webhookStates, {
      description:
        "`off`: disabled by its owner. `gone`: disabled, because the receiver answered 410. `failing`: disabled, because nothing arrived for too long.",
    }),
    failingSince: nullable(Time, {
      description: "Since when nothing has arrived; null while all is well.",
      examples: [null],
    }),
    createdAt: Time,
  },
  { $id: "Webhook", description: "An address that notifications are sent to, as its owner sees it." },
);
export type Webhook = Static<typeof Webhook>;

export const deliveryStates = ["waiting", "delivered", "failed"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** What is sent beside notifications, when somebody tries a webhook out. */
export const TEST_TYPE = "test";

export const Delivery = Type.Object(
  {
    id: Id,
    messageId: Type.String({
      description:
        "What every try carries as `webhook-id`, by which a receiver knows what it has had already.",
      examples: ["msg_5Vt1kHq0mTz8"],
    }),
    type: oneOf([...notificationTypes, TEST_TYPE]),
    state: oneOf(deliveryStates, { description: "`failed`: it was given up." }),
    attempts: Count,
    status: nullable(Type.Integer({ description: "What the last try was answered with.", examples: [200] })),
    error: nullable(Type.String(), { description: "Why the last try failed.", examples: [null] }),
    nextAt: nullable(Time, { description: "When it is tried next.", examples: [null] }),
    triedAt: nullable(Time),
    createdAt: Time,
  },
  { $id: "Delivery", description: "A message to a webhook, and how sending it went." },
);
export type Delivery = Static<typeof Delivery>;

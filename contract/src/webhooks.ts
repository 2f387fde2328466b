import Type, { type Static } from "typebox";
import { notificationTypes } from "./notifications.ts";
import { Count, Id, nullable, oneOf, Time } from "./schema.ts";

/** `unconfirmed`: enabled, but nothing has been delivered to its URL yet. `gone`: the receiver returned 410. `failing`: all deliveries failed for too long. */
export const webhookStates = ["unconfirmed", "working", "off", "gone", "failing"] as const;
export type WebhookState = (typeof webhookStates)[number];
export type StoredWebhookState = Exclude<WebhookState, "unconfirmed">;

/** A webhook's state from what is stored of it; `confirmedAt` is null until something has been delivered to its URL. */
export function webhookState(stored: StoredWebhookState, confirmedAt: unknown): WebhookState {
  return stored === "working" && confirmedAt === null ? "unconfirmed" : stored;
}

export const Webhook = Type.Object(
  {
    id: Id,
    agentId: nullable(Id, { description: "The agent whose notifications are sent; null for your own." }),
    keyId: nullable(Id, {
      description: "The key that created it, with which it is deleted; null if a session created it.",
      examples: [null],
    }),
    url: Type.String({ "x-user-text": true, examples: ["https://example.org/hook"] }),
    types: nullable(Type.Array(oneOf(notificationTypes)), {
      description: "The types of notifications to send; null for all.",
      examples: [null],
    }),
    enabled: Type.Boolean(),
    state: oneOf(webhookStates, {
      description:
        "`unconfirmed`: enabled, but nothing has been delivered to this `url` yet. `working`: enabled, and something has. `off`: disabled by its owner. `gone`: disabled because the receiver returned 410. `failing`: disabled because all deliveries failed for too long.",
    }),
    failingSince: nullable(Time, {
      description: "Since when all deliveries have failed; null if the last one succeeded.",
      examples: [null],
    }),
    createdAt: Time,
  },
  { $id: "Webhook", description: "A webhook, as its owner sees it." },
);
export type Webhook = Static<typeof Webhook>;

export const deliveryStates = ["waiting", "delivered", "failed"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** The type of the message that is sent to test a webhook. */
export const TEST_TYPE = "test";

export const Delivery = Type.Object(
  {
    id: Id,
    messageId: Type.String({
      description: "The `webhook-id` header of every attempt, which lets a receiver detect duplicates.",
      examples: ["msg_5Vt1kHq0mTz8"],
    }),
    type: oneOf([...notificationTypes, TEST_TYPE]),
    state: oneOf(deliveryStates, {
      description: "`waiting`: not delivered yet; `nextAt` says when it is tried. `failed`: given up.",
    }),
    attempts: Count,
    status: nullable(Type.Integer({ description: "The HTTP status of the last attempt.", examples: [200] })),
    error: nullable(Type.String(), { description: "Why the last attempt failed.", examples: [null] }),
    nextAt: nullable(Time, { description: "When the next attempt is due.", examples: [null] }),
    triedAt: nullable(Time),
    createdAt: Time,
  },
  { $id: "Delivery", description: "A message to a webhook, with the outcome of sending it." },
);
export type Delivery = Static<typeof Delivery>;

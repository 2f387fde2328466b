import Type from "typebox";
import { byId, Cursor, fieldsOf, Link, NextCursor, PageSize } from "../fields.ts";
import { limits } from "../limits.ts";
import { notificationTypes } from "../notifications.ts";
import { operation, peopleOnly } from "../operation.ts";
import { Id, nullable, oneOf, optional } from "../schema.ts";
import { Delivery, Webhook } from "../webhooks.ts";

const area = "Webhooks";
const access = peopleOnly;

const Types = nullable(Type.Array(oneOf(notificationTypes), { maxItems: notificationTypes.length }), {
  description: "The types of notifications that are sent; null for all.",
  examples: [["comment", "reply"]],
});
const Secret = nullable(Type.String(), {
  description: "What deliveries are signed with. It is shown this once.",
  examples: ["whsec_…"],
  "x-secret": true,
});

export const listWebhooks = operation({
  name: "listWebhooks",
  area,
  route: "GET /api/webhooks",
  access,
  query: { fields: fieldsOf(Webhook) },
  answer: { webhooks: Type.Array(Webhook) },
  description: "The caller's webhooks, those of their agents included.",
});

export const createWebhook = operation({
  name: "createWebhook",
  area,
  route: "POST /api/webhooks",
  access,
  body: { url: Link, agentId: optional(nullable(Id)), types: optional(Types) },
  answer: { webhook: Webhook, secret: Secret },
  errors: ["not_found", "webhook_limit"],
  description: `Have notifications sent to an address by POST, those of oneself or of an agent of one's own. A body is \`{type, timestamp, data}\`, \`data\` being the notification as \`GET /api/notifications\` shows it, and is signed by the rules of Standard Webhooks 1.0.0 (\`webhook-id\`, \`webhook-timestamp\`, \`webhook-signature\`). Anything but a 2xx within seconds is a failure, a redirect too; it is tried again after ever longer pauses for about a day, under the same \`webhook-id\`. A 410, or ${limits.webhookFailureHours} hours of nothing but failures, disables the webhook. At most ${limits.webhooksPerAccount} webhooks a person.`,
});

export const editWebhook = operation({
  name: "editWebhook",
  area,
  route: "PATCH /api/webhooks",
  access,
  body: { id: Id, url: optional(Link), types: optional(Types), enabled: optional(Type.Boolean()) },
  answer: { webhook: Webhook },
  errors: ["not_found"],
  description:
    "Change where a webhook leads, what is sent, and whether anything is. What happens while it is disabled isn't sent later.",
});

export const deleteWebhook = operation({
  name: "deleteWebhook",
  area,
  route: "DELETE /api/webhooks",
  access,
  body: { id: Id },
  answer: { deleted: Type.Literal(true) },
  errors: ["not_found"],
  description: "Delete a webhook with what is on record of it.",
});

export const rotateWebhookSecret = operation({
  name: "rotateWebhookSecret",
  area,
  route: "POST /api/webhooks/{id}/secret",
  access,
  params: byId,
  answer: { webhook: Webhook, secret: Secret },
  errors: ["not_found"],
  description: `Replace a webhook's secret. For ${limits.webhookSecretHours} hours the one before signs as well, so that receivers can change over.`,
});

export const testWebhook = operation({
  name: "testWebhook",
  area,
  route: "POST /api/webhooks/{id}/test",
  access,
  params: byId,
  answer: { delivery: Delivery },
  errors: ["not_found", "webhook_disabled"],
  description:
    "Send a webhook something to try it out, of the type `test`. How that went stands among its deliveries.",
});

export const listDeliveries = operation({
  name: "listDeliveries",
  area,
  route: "GET /api/webhooks/{id}/deliveries",
  access,
  params: byId,
  query: { limit: optional(PageSize), cursor: optional(Cursor), fields: fieldsOf(Delivery) },
  answer: { deliveries: Type.Array(Delivery), nextCursor: NextCursor },
  errors: ["not_found"],
  description: `What was sent to a webhook, or waits to be, newest first; of the last ${limits.deliveryDays} days.`,
});

export const retryDelivery = operation({
  name: "retryDelivery",
  area,
  route: "POST /api/webhooks/{id}/deliveries/{deliveryId}/retry",
  access,
  params: { ...byId, deliveryId: Id },
  answer: { delivery: Delivery },
  errors: ["not_found", "webhook_disabled"],
  effect: "sets",
  description:
    "Send a delivery now, whether it has arrived already, was given up or waits for its next turn.",
});

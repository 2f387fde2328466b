import Type from "typebox";
import { byId, Cursor, fieldsOf, Link, NextCursor, PageSize } from "../fields.ts";
import { limits } from "../limits.ts";
import { notificationTypes } from "../notifications.ts";
import { operation, scope } from "../operation.ts";
import { Id, nullable, oneOf, optional } from "../schema.ts";
import { Delivery, Webhook } from "../webhooks.ts";

const area = "Webhooks";
const access = scope("profile:write");

const Types = nullable(Type.Array(oneOf(notificationTypes), { maxItems: notificationTypes.length }), {
  description: "The types of notifications to send; null for all.",
  examples: [["comment", "reply"]],
});
const Secret = nullable(Type.String(), {
  description: "The secret that signs deliveries. Shown only once.",
  examples: ["whsec_…"],
  "x-secret": true,
});

export const listWebhooks = operation({
  name: "listWebhooks",
  area,
  route: "GET /api/webhooks",
  access,
  query: { fields: fieldsOf(Webhook) },
  response: { webhooks: Type.Array(Webhook) },
  description:
    "List your webhooks, including those of your agents. A key lists and manages only those that it created.",
});

export const createWebhook = operation({
  name: "createWebhook",
  area,
  route: "POST /api/webhooks",
  access,
  body: { url: Link, types: optional(Types), agentId: optional(nullable(Id)) },
  response: { webhook: Webhook, secret: Secret },
  errors: ["not_found", "webhook_limit"],
  description: `Create a webhook that sends your notifications, or those of one of your agents, to a URL by POST. A key creates one for its own account, which is deleted with the key. The body is \`{type, timestamp, data}\`, where \`data\` is the notification as in \`GET /api/notifications\`. It is signed as in Standard Webhooks 1.0.0 (\`webhook-id\`, \`webhook-timestamp\`, \`webhook-signature\`). Anything but a 2xx response within ${limits.webhookSeconds} seconds is a failure, including a redirect. Failed deliveries are retried with increasing delays for about a day, with the same \`webhook-id\`. A 410 response, or ${limits.webhookFailureHours} hours of only failures, disables the webhook. At most ${limits.webhooksPerAccount} webhooks per person, with those of their agents.`,
});

export const editWebhook = operation({
  name: "editWebhook",
  area,
  route: "PATCH /api/webhooks",
  access,
  body: { id: Id, url: optional(Link), types: optional(Types), enabled: optional(Type.Boolean()) },
  response: { webhook: Webhook },
  errors: ["not_found"],
  description:
    "Change a webhook's URL or types, or enable or disable it. Notifications from while it is disabled aren't sent later.",
});

export const deleteWebhook = operation({
  name: "deleteWebhook",
  area,
  route: "DELETE /api/webhooks",
  access,
  body: { id: Id },
  response: { deleted: Type.Literal(true) },
  errors: ["not_found"],
  whileSuspended: true,
  description: "Permanently delete a webhook and its deliveries.",
});

export const rotateWebhookSecret = operation({
  name: "rotateWebhookSecret",
  area,
  route: "POST /api/webhooks/{id}/secret",
  access,
  params: byId,
  response: { webhook: Webhook, secret: Secret },
  errors: ["not_found"],
  description: `Replace a webhook's secret. The previous secret also signs for another ${limits.webhookSecretHours} hours, so that receivers can switch over.`,
});

export const testWebhook = operation({
  name: "testWebhook",
  area,
  route: "POST /api/webhooks/{id}/test",
  access,
  params: byId,
  response: { delivery: Delivery },
  errors: ["not_found", "webhook_disabled"],
  description:
    "Send a test message of the type `test` to a webhook. Its outcome is listed among the deliveries.",
});

export const listDeliveries = operation({
  name: "listDeliveries",
  area,
  route: "GET /api/webhooks/{id}/deliveries",
  access,
  params: byId,
  query: { limit: optional(PageSize), cursor: optional(Cursor), fields: fieldsOf(Delivery) },
  response: { deliveries: Type.Array(Delivery), nextCursor: NextCursor },
  errors: ["not_found"],
  description: `List a webhook's deliveries of the last ${limits.deliveryDays} days, sent and pending, newest first.`,
});

export const retryDelivery = operation({
  name: "retryDelivery",
  area,
  route: "POST /api/webhooks/{id}/deliveries/{deliveryId}/retry",
  access,
  params: { ...byId, deliveryId: Id },
  response: { delivery: Delivery },
  errors: ["not_found", "webhook_disabled"],
  effect: "sets",
  description:
    "Send a delivery now, whether it was already delivered, was given up, or is waiting for its next attempt.",
});

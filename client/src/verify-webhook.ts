import type { Notification } from "@tandem/contract/notifications";
import type { TEST_TYPE } from "@tandem/contract/webhooks";

/** What a webhook sends: a notification as in `listNotifications`, or what `testWebhook` sends. */
export type WebhookMessage =
  | { type: Notification["type"]; timestamp: string; data: Notification }
  | { type: typeof TEST_TYPE; timestamp: string; data: object };

/** The request's headers, as Fetch's `Headers` or as Node.js has them. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

/** Seconds that the sender's and the receiver's clocks may differ. Older messages could be replays. */
const TOLERANCE = 300;
const PREFIX = "whsec_";

/** Thrown if a request didn't come from the webhook's server, or not recently. Respond with 400. */
export class WebhookVerificationError extends Error {
  override name = "WebhookVerificationError";
}

/**
 * Verifies the signature of a webhook's request (Standard Webhooks 1.0.0) and returns its message. `body` is the request's body
 * exactly as received, before any JSON parser changes it. `secret` is what `createWebhook` returned.
 * Throws {@link WebhookVerificationError}.
 */
export async function verifyWebhook(
  body: string | Uint8Array<ArrayBuffer>,
  headers: WebhookHeaders,
  secret: string,
): Promise<WebhookMessage> {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    required(headers, name),
  ) as [string, string, string];
  const age = Date.now() / 1000 - Number(timestamp);
  // Negated, so that a timestamp that isn't a number is refused.
  if (!(Math.abs(age) <= TOLERANCE))
    throw new WebhookVerificationError(`webhook-timestamp is not within ${TOLERANCE} seconds of now.`);
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const signed = await new Blob([`${id}.${timestamp}.`, bytes]).arrayBuffer();
  const key = await crypto.subtle.importKey("raw", keyIn(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "verify",
  ]);
  // During a rotation there are two signatures.
  const matches = await Promise.all(
    signatures.split(" ").map((signature) => {
      const [version, value = ""] = signature.split(",");
      const decoded = version === "v1" ? fromBase64(value) : null;
      return decoded !== null && crypto.subtle.verify("HMAC", key, decoded, signed);
    }),
  );
  if (!matches.includes(true)) throw new WebhookVerificationError("webhook-signature doesn't match.");
  return JSON.parse(new TextDecoder().decode(bytes)) as WebhookMessage;
}

function required(headers: WebhookHeaders, name: string): string {
  const pairs = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const [, value] = pairs.find(([given]) => given.toLowerCase() === name) ?? [];
  if (typeof value !== "string" || value === "") throw new WebhookVerificationError(`${name} is missing.`);
  return value;
}

function keyIn(secret: string): Uint8Array<ArrayBuffer> {
  const key = String(secret).startsWith(PREFIX) ? fromBase64(secret.slice(PREFIX.length)) : null;
  if (key === null) throw new TypeError(`secret must begin with ${PREFIX}, as createWebhook returned it`);
  return key;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

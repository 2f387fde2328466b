import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { Hook, Sending } from "./webhooks.queries.ts";

/** A Standard Webhooks secret with 32 random bytes. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** The headers with which a receiver detects duplicates and verifies the sender (Standard Webhooks 1.0.0). */
export function signatureHeaders(
  hook: Hook,
  { message_id, payload }: Sending,
  now: number,
): Record<string, string> {
  const oldSecrets = hook.old_secret !== null && now < (hook.old_secret_until ?? 0) ? [hook.old_secret] : [];
  const signatures = [hook.secret, ...oldSecrets].map((secret) =>
    new Webhook(secret).sign(message_id, new Date(now), payload),
  );
  return {
    "content-type": "application/json",
    "webhook-id": message_id,
    "webhook-timestamp": String(Math.floor(now / 1000)),
    "webhook-signature": signatures.join(" "),
  };
}

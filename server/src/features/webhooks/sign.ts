import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { Hook, Sending } from "./webhooks.queries.ts";

/** A secret as Standard Webhooks has it: 32 bytes. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** The headers by which a receiver knows what it has had already, and that it came from here (Standard Webhooks 1.0.0). */
export function signed(hook: Hook, { message_id, payload }: Sending, now: number): Record<string, string> {
  const replaced = hook.old_secret !== null && now < (hook.old_secret_until ?? 0) ? [hook.old_secret] : [];
  const signatures = [hook.secret, ...replaced].map((secret) =>
    new Webhook(secret).sign(message_id, new Date(now), payload),
  );
  return {
    "content-type": "application/json",
    "webhook-id": message_id,
    "webhook-timestamp": String(Math.floor(now / 1000)),
    "webhook-signature": signatures.join(" "),
  };
}

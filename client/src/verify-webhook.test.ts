import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { verifyWebhook, WebhookVerificationError } from "./verify-webhook.ts";

const [secret, other] = [1, 2].map(() => `whsec_${randomBytes(32).toString("base64")}`) as [string, string];
const body = JSON.stringify({ type: "test", timestamp: "2026-01-31T12:00:00.000Z", data: { word: "Schön" } });
const MINUTE = 60_000;

/** Headers as another implementation of the standard signs them. */
function signed({ by = [secret], at = Date.now(), of = body } = {}) {
  const signatures = by.map((one) => new Webhook(one).sign("msg_1", new Date(at), of));
  return {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(Math.floor(at / 1000)),
    "webhook-signature": signatures.join(" "),
  };
}

function capitalized(headers: object) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
}

test.each([
  ["as text", body, signed()],
  ["with other letters in the headers' names", body, capitalized(signed())],
  ["as bytes, with fetch's headers", new TextEncoder().encode(body), new Headers(signed())],
  ["during a rotation", body, signed({ by: [other, secret] })],
  ["four minutes old", body, signed({ at: Date.now() - 4 * MINUTE })],
  [
    "with a signature of a later version",
    body,
    { ...signed(), "webhook-signature": `v2,xx ${signed()["webhook-signature"]}` },
  ],
])("accepts a message %s", async (_how, received, headers) => {
  expect(await verifyWebhook(received, headers, secret)).toEqual(JSON.parse(body));
});

test.each([
  ["another secret", body, signed({ by: [other] }), "doesn't match"],
  ["another body", body.replace("test", "post"), signed(), "doesn't match"],
  ["another id", body, { ...signed(), "webhook-id": "msg_2" }, "doesn't match"],
  [
    "a newer timestamp than was signed",
    body,
    { ...signed({ at: Date.now() - 4 * MINUTE }), "webhook-timestamp": signed()["webhook-timestamp"] },
    "doesn't match",
  ],
  ["an old message", body, signed({ at: Date.now() - 6 * MINUTE }), "not within 300 seconds"],
  ["a message from the future", body, signed({ at: Date.now() + 6 * MINUTE }), "not within 300 seconds"],
  ["a timestamp that isn't a number", body, { ...signed(), "webhook-timestamp": "now" }, "not within"],
  ["no signature", body, { ...signed(), "webhook-signature": undefined }, "webhook-signature is missing"],
  [
    "a signature that isn't base64",
    body,
    { ...signed(), "webhook-signature": "v1,%%% v1 v1," },
    "doesn't match",
  ],
])("refuses %s", async (_what, received, headers, message) => {
  const error = await verifyWebhook(received, headers, secret).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(WebhookVerificationError);
  expect((error as Error).message).toContain(message);
});

test.each(["tandem_live_x", undefined])("says that a secret isn't one: %s", async (wrong) => {
  await expect(verifyWebhook(body, signed(), wrong as string)).rejects.toThrow(
    "secret must begin with whsec_",
  );
});

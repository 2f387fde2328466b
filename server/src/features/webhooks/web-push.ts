import { createECDH } from "node:crypto";
import { SECONDS_PER_HOUR } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import ece from "http_ece";
import type { Services } from "../../http/services.ts";
import { type PushKeys, pushKeysOf } from "./push-keys.ts";
import type { Hook } from "./webhooks.queries.ts";

/** The headers and body of a request to a webhook or push service. */
export interface OutboundRequest {
  headers: Record<string, string>;
  body: Buffer | string;
}

/** Seconds for which a VAPID token is valid. RFC 8292 allows a day at most. */
const TOKEN_LIFE = 12 * SECONDS_PER_HOUR;

/** Encrypts a message, so that only the browser can read it, not its push service (RFC 8291), and signs the request (RFC 8292). */
export async function encryptPush(services: Services, hook: Hook, message: string): Promise<OutboundRequest> {
  const keys = await pushKeysOf(services);
  const token = await tokenFor(services, keys, new URL(hook.url).origin);
  return {
    headers: {
      "content-type": "application/octet-stream",
      "content-encoding": "aes128gcm",
      authorization: `vapid t=${token}, k=${keys.publicKey}`,
      ttl: String(limits.pushHours * SECONDS_PER_HOUR),
      urgency: "normal",
    },
    body: encrypt(hook, message),
  };
}

function encrypt({ public_key, secret }: Hook, message: string): Buffer {
  if (public_key === null)
    throw new Error("this webhook has no public key to encrypt for: it isn't a browser");
  const privateKey = createECDH("prime256v1");
  privateKey.generateKeys();
  return ece.encrypt(Buffer.from(message), {
    version: "aes128gcm",
    dh: public_key,
    authSecret: secret,
    privateKey,
  });
}

async function tokenFor(
  services: Services,
  { privateKey, publicKey }: PushKeys,
  audience: string,
): Promise<string> {
  const { importJWK, SignJWT } = await import("jose");
  const point = Buffer.from(publicKey, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString("base64url"));
  const key = await importJWK({ kty: "EC", crv: "P-256", x: `${x}`, y: `${y}`, d: privateKey }, "ES256");
  return new SignJWT({ aud: audience, sub: contactOf(services) })
    .setProtectedHeader({ typ: "JWT", alg: "ES256" })
    .setExpirationTime(Math.floor(services.now() / 1000) + TOKEN_LIFE)
    .sign(key);
}

/** The contact for push services: the administrator's, or else the service's own address, as https because VAPID requires it. */
function contactOf({ config, baseUrl }: Services): string {
  const { securityContact } = config;
  const isUsable = securityContact !== null && /^(mailto|https):/.test(securityContact);
  return isUsable ? securityContact : baseUrl.replace(/^http:/, "https:");
}

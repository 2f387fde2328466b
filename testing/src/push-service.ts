import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import type { PushMessage } from "@tandem/contract/push";
import type { Origin, OriginHandler, OriginRequest } from "./origin.ts";

let serial = 0;

/**
 * A browser's push subscription: an address and keys. It decrypts messages as RFC 8291 specifies, independently of the
 * service's own code.
 */
export class PushSubscriber {
  readonly #service: Origin;
  readonly #path: string;
  readonly #pair = createECDH("prime256v1");
  readonly #auth = randomBytes(16);

  constructor(service: Origin, shows: OriginHandler = { status: 201 }) {
    this.#service = service;
    this.#path = `/push${serial++}`;
    this.#pair.generateKeys();
    this.respondWith(shows);
  }

  /** Sets the push service's response. */
  respondWith(shows: OriginHandler): void {
    this.#service.show(this.#path, shows);
  }

  /** As the API expects it. */
  get subscription() {
    return {
      endpoint: this.#service.url + this.#path,
      p256dh: this.#pair.getPublicKey("base64url"),
      auth: this.#auth.toString("base64url"),
    };
  }

  /** All requests to this subscription so far. */
  get requests(): OriginRequest[] {
    return this.#service.requests.filter(({ path }) => path === this.#path);
  }

  /** Decrypted messages. */
  get messages(): PushMessage[] {
    return this.requests.map(({ bytes }) => JSON.parse(decrypt(bytes, this.#pair, this.#auth)));
  }

  /** Ids of the received notifications, oldest first. */
  get ids(): number[] {
    return this.messages.flatMap(({ notices }) => notices.map(({ id }) => id).toReversed());
  }
}

interface Pair {
  getPublicKey(): Buffer;
  computeSecret(other: Buffer): Buffer;
}

/** Decrypts a message in one record (RFC 8291, section 3.4). */
export function decrypt(bytes: Buffer, pair: Pair, auth: Buffer): string {
  const salt = bytes.subarray(0, 16);
  const start = 21 + (bytes[20] ?? 0);
  const sender = bytes.subarray(21, start);
  const about = Buffer.concat([Buffer.from("WebPush: info\0"), pair.getPublicKey(), sender]);
  const secret = derive(pair.computeSecret(sender), auth, about, 32);
  const key = derive(secret, salt, "Content-Encoding: aes128gcm\0", 16);
  const nonce = derive(secret, salt, "Content-Encoding: nonce\0", 12);
  const decipher = createDecipheriv("aes-128-gcm", key, nonce);
  decipher.setAuthTag(bytes.subarray(-16));
  const padded = Buffer.concat([decipher.update(bytes.subarray(start, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  if (padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error("the padding is invalid");
  return padded.subarray(0, end).toString();
}

function derive(secret: Buffer, salt: Buffer, about: Buffer | string, length: number): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, salt, about, length));
}

/** The VAPID claims and key of a request (RFC 8292). Throws unless the key signed the claims. */
export function vapidOf({ headers }: OriginRequest): { claims: Record<string, unknown>; key: string } {
  const [, token = "", key = ""] =
    /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(String(headers.authorization)) ?? [];
  const [head = "", body = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString("base64url"));
  const signer = createPublicKey({ key: { kty: "EC", crv: "P-256", x: `${x}`, y: `${y}` }, format: "jwk" });
  const signed = Buffer.from(`${head}.${body}`);
  const proof = Buffer.from(signature, "base64url");
  if (!verify("sha256", signed, { key: signer, dsaEncoding: "ieee-p1363" }, proof))
    throw new Error("the token isn't signed by the key that came with it");
  return { claims: JSON.parse(Buffer.from(body, "base64url").toString()), key };
}

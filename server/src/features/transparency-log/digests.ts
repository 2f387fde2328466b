import { hash, randomBytes } from "node:crypto";
import { type Bytes, fromBase64Url, type Sha256, toBase64Url } from "@tandem/contract/log/bytes";
import { SALT_BYTES, salted } from "@tandem/contract/log/entry";

/** Synchronous, because transactions await nothing but the database. */
export const sha256: Sha256 = (data) => bytesFrom(hash("sha256", data, "buffer"));

export function newSalt(): string {
  return toBase64Url(randomBytes(SALT_BYTES));
}

/** The salted hash of a text, as entries contain it. */
export function digestOf(salt: string, text: string): string {
  return hash("sha256", salted(fromBase64Url(salt), text), "base64url");
}

/** A copy without the rest of Node.js's memory pool. */
export function bytesFrom(buffer: Buffer): Bytes {
  return Uint8Array.from(buffer);
}

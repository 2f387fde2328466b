import { hash, randomBytes } from "node:crypto";
import type { Bytes, Sha256 } from "@tandem/contract/log/bytes";
import { SALT_BYTES } from "@tandem/contract/log/entry";

/** Synchronous, because transactions await nothing but the database. */
export const sha256: Sha256 = (data) => bytesFrom(hash("sha256", data, "buffer"));

/** Random bytes, drawn for many salts at once: each draw is a system call. */
let pool = Buffer.alloc(0);

export function newSalt(): Buffer {
  if (pool.length === 0) pool = randomBytes(256 * SALT_BYTES);
  const salt = pool.subarray(0, SALT_BYTES);
  pool = pool.subarray(SALT_BYTES);
  return salt;
}

/** The salted hash of a text, as entries contain it: of `salted()`, without its detours. */
export function digestOf(salt: Buffer, text: string): string {
  return hash("sha256", Buffer.concat([salt, Buffer.from(text)]), "base64url");
}

/** A copy without the rest of Node.js's memory pool. */
export function bytesFrom(buffer: Buffer): Bytes {
  return Uint8Array.from(buffer);
}

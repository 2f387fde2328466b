import { hash, randomBytes } from "node:crypto";
import type { Bytes, Sha256 } from "@tandem/contract/log/bytes";
import { SALT_BYTES } from "@tandem/contract/log/entry";

/**
 * Synchronous, because transactions await nothing but the database. By way of a text of one character per byte, because making a
 * buffer of its own takes longer than hashing.
 */
export const sha256: Sha256 = (data) => bytesFrom(Buffer.from(hash("sha256", data, "latin1"), "latin1"));

export interface Salt {
  bytes: Buffer;
  /** In base64url. */
  text: string;
}

/** Made many at once: doing so in the middle of a write takes many times as long. */
let salts: Salt[] = [];

export function newSalt(): Salt {
  const salt = salts.pop();
  if (salt) return salt;
  const random = randomBytes(256 * SALT_BYTES);
  salts = Array.from({ length: 256 }, (_, i) => {
    const bytes = random.subarray(i * SALT_BYTES, (i + 1) * SALT_BYTES);
    return { bytes, text: bytes.toString("base64url") };
  });
  return newSalt();
}

/** Where salt and text are put together. Kept, because new memory for each hash takes as long as the hash. */
const joined = Buffer.alloc(2 ** 17);

/** The salted hash of a text, as entries contain it: of `salted()`, without its detours. */
export function digestOf({ bytes }: Salt, text: string): string {
  // A UTF-16 unit takes up to three bytes.
  if (SALT_BYTES + 3 * text.length > joined.length)
    return hash("sha256", Buffer.concat([bytes, Buffer.from(text)]), "base64url");
  joined.set(bytes);
  const length = SALT_BYTES + joined.write(text, SALT_BYTES);
  return hash("sha256", joined.subarray(0, length), "base64url");
}

/** A copy without the rest of Node.js's memory pool. */
export function bytesFrom(buffer: Buffer): Bytes {
  return new Uint8Array(buffer);
}

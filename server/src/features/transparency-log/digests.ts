import { hash, randomBytes } from "node:crypto";
import { type Bytes, HASH_BYTES, type Sha256 } from "@tandem/contract/log/bytes";
import { SALT_BYTES } from "@tandem/contract/log/entry";

/**
 * Synchronous, because transactions await nothing but the database. By way of a text of one character per byte, because making a
 * buffer of its own takes longer than hashing.
 */
export const sha256: Sha256 = (data) => sha256Of(data);

function sha256Of(data: Bytes | string): Bytes {
  return bytesFrom(Buffer.from(hash("sha256", data, "latin1"), "latin1"));
}

/** The same as the contract's `leafHash`, without copies and promises. */
export function leafHashOf(entry: string): Bytes {
  return sha256Of(`\0${entry}`);
}

/** Where two hashes are put together. */
const pair = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

/** The same as the contract's `rootOf`. */
export function rootOfHashes(hashes: readonly Bytes[]): Bytes {
  let level = hashes;
  while (level.length > 1) level = parentsOf(level);
  const [root] = level;
  if (!root) throw new Error("no hashes");
  return root;
}

/** A last hash without a partner is its own parent. */
function parentsOf(level: readonly Bytes[]): Bytes[] {
  const parents: Bytes[] = [];
  for (let i = 0; i < level.length; i += 2) {
    const [left, right] = [level[i] as Bytes, level[i + 1]];
    if (right) {
      pair.set(left, 1);
      pair.set(right, 1 + HASH_BYTES);
    }
    parents.push(right ? sha256Of(pair) : left);
  }
  return parents;
}

/** In hexadecimal. */
export function sha256Hex(text: string): string {
  return hash("sha256", text, "hex");
}

export interface Salt {
  bytes: Buffer;
  /** In base64url. */
  text: string;
}

/** A salt from its text in base64url. */
export function saltOf(text: string): Salt {
  return { bytes: Buffer.from(text, "base64url"), text };
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

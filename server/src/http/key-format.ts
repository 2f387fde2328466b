import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
export const KEY_PREFIX = "tandem_live_";
/** 33 base-62 digits: 196 random bits. */
const RANDOM_LENGTH = 33;
const CHECK_LENGTH = 6;
export const KEY_LENGTH = KEY_PREFIX.length + RANDOM_LENGTH + CHECK_LENGTH;
const FORM = `${KEY_PREFIX}([0-9A-Za-z]{${RANDOM_LENGTH}})([0-9A-Za-z]{${CHECK_LENGTH}})`;
const SHAPE = new RegExp(`^${FORM}$`);
const EACH = new RegExp(FORM, "g");

/** A new key: prefix, random part, and a checksum that lets secret scanners rule out false positives. */
export function newKey(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join("");
  return KEY_PREFIX + random + checksum(random);
}

/** The key that follows from these bytes, of which there must be at least 32 random ones. */
export function keyFrom(bytes: Uint8Array): string {
  let rest = bytes.reduce((number, byte) => number * 256n + BigInt(byte), 0n);
  const base = BigInt(DIGITS.length);
  const digits = Array.from({ length: RANDOM_LENGTH }, () => {
    const digit = DIGITS[Number(rest % base)];
    rest /= base;
    return digit;
  });
  const random = digits.join("");
  return KEY_PREFIX + random + checksum(random);
}

/** Whether a token has a valid format and checksum. */
export function looksLikeKey(token: string): boolean {
  const [, random, check] = SHAPE.exec(token) ?? [];
  return random !== undefined && check === checksum(random);
}

/**
 * The distinct API keys in a text, including percent-encoded ones and ones broken across lines. The checksum rules out
 * false positives.
 */
export function keysIn(text: string): string[] {
  const decoded = text.includes("%") ? text.replace(/%([0-7][\da-f])/gi, inAscii) : text;
  // Fast path: most texts don't contain the prefix.
  if (!decoded.includes("_")) return [];
  const plain = decoded.replace(/[\s\p{DI}]+/gu, "");
  if (!plain.includes(KEY_PREFIX)) return [];
  const found = [...plain.matchAll(EACH)].map(([key]) => key);
  return [...new Set(found)].filter(looksLikeKey);
}

function inAscii(_: string, code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16));
}

/** A hint to recognize a key by, such as `tandem_live_ab12…`. */
export function keyHint(key: string): string {
  return `${key.slice(0, KEY_PREFIX.length + 4)}…`;
}

/** CRC-32 of the random part, in base 62, padded to six digits. */
function checksum(random: string): string {
  let rest = crc32(random);
  let digits = "";
  for (; rest > 0; rest = Math.floor(rest / DIGITS.length)) digits = DIGITS[rest % DIGITS.length] + digits;
  return digits.padStart(CHECK_LENGTH, "0");
}

/** Bytes as text and back, and SHA-256. Needs only what browsers and Node.js both have. */

const utf8 = new TextEncoder();
/** Throws on invalid UTF-8, and keeps a byte order mark. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export type Bytes = Uint8Array<ArrayBuffer>;

/** Bytes in one SHA-256 hash. */
export const HASH_BYTES = 32;

/** Computes a SHA-256 hash. The server has a synchronous one; WebCrypto's is asynchronous. */
export type Sha256 = (data: Bytes) => Bytes | Promise<Bytes>;

export const webSha256: Sha256 = async (data) => new Uint8Array(await crypto.subtle.digest("SHA-256", data));

export function bytesOf(text: string): Bytes {
  return utf8.encode(text);
}

export function textOf(bytes: Bytes): string {
  return decoder.decode(bytes);
}

export function concat(...parts: readonly Uint8Array[]): Bytes {
  let length = 0;
  for (const part of parts) length += part.length;
  const joined = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

export function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

export function toBase64(bytes: Uint8Array): string {
  // In pieces, because a call takes a limited number of arguments.
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8192)
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(binary);
}

/** Accepts only the one canonical form, with padding. Throws if it isn't. */
export function fromBase64(text: string): Bytes {
  const bytes = /^[A-Za-z0-9+/]*={0,2}$/.test(text) ? decode(text) : null;
  if (bytes === null || toBase64(bytes) !== text) throw new Error("not canonical base64");
  return bytes;
}

export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Accepts only the one canonical form, without padding. Throws if it isn't. */
export function fromBase64Url(text: string): Bytes {
  const bytes = /^[A-Za-z0-9_-]*$/.test(text) ? decode(text.replaceAll("-", "+").replaceAll("_", "/")) : null;
  if (bytes === null || toBase64Url(bytes) !== text) throw new Error("not canonical base64url");
  return bytes;
}

function decode(base64: string): Bytes | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

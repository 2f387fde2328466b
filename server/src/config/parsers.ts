import { createECDH } from "node:crypto";
import { resolve } from "node:path";
import { isRange } from "../outgoing/public-address.ts";

/** An invalid setting. The message is one sentence that names it. */
export class ConfigError extends Error {}

/** Parses a setting's text, which is empty if it is unset and has no default. Throws {@link ConfigError}. */
export type Parser<T> = (given: string, name: string) => T;

export const text: Parser<string> = (given) => given;

export const commaSeparated: Parser<string[]> = (given) =>
  given
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);

export function wholeNumber(min: number, max: number): Parser<number> {
  return (given, name) => {
    const value = /^\d+$/.test(given) ? Number(given) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${given}".`);
  };
}

/** A whole number of some unit, in milliseconds. */
export function durationIn(unit: number, min: number, max: number): Parser<number> {
  const parse = wholeNumber(min, max);
  return (given, name) => parse(given, name) * unit;
}

/** 1 or 0. */
export const flag: Parser<boolean> = (given, name) => wholeNumber(0, 1)(given, name) === 1;

export function oneOf<const Word extends string>(words: readonly Word[]): Parser<Word> {
  return (given, name) => {
    const known = words.find((word) => word === given);
    if (known !== undefined) return known;
    throw new ConfigError(`${name} must be one of ${words.join(", ")}, not "${given}".`);
  };
}

/** Bytes of a key that encrypts secrets. */
export const KEY_LENGTH = 32;

/** Such keys in base64, comma-separated. */
export const encryptionKeys: Parser<Buffer[]> = (given, name) => {
  const keys = commaSeparated(given, name).map((one) => Buffer.from(one, "base64"));
  if (keys.every((key) => key.length === KEY_LENGTH)) return keys;
  throw new ConfigError(
    `${name} must be ${KEY_LENGTH} bytes in base64, such as from \`openssl rand -base64 ${KEY_LENGTH}\`.`,
  );
};

export const directory: Parser<string> = (given) => resolve(given);

export const webUrl: Parser<string | null> = (given, name) => {
  if (!given) return null;
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash) return given.replace(/\/+$/, "");
  throw new ConfigError(`${name} must be an http or https URL without a query, not "${given}".`);
};

/** A URL without a path, because the service's own paths start at the root. */
export const origin: Parser<string | null> = (given, name) => {
  const url = webUrl(given, name);
  if (url === null || new URL(url).pathname === "/") return url;
  throw new ConfigError(`${name} must be a URL without a path, not "${url}".`);
};

export const ipRanges: Parser<string[]> = (given, name) => {
  const all = commaSeparated(given, name);
  const wrong = all.find((one) => !isRange(one));
  if (wrong === undefined) return all;
  throw new ConfigError(`${name} must be IP ranges such as 10.1.0.0/16 or fd00::/8, not "${wrong}".`);
};

export const signers: Parser<"any" | "none" | string[]> = (given, name) => {
  if (given === "any" || given === "none") return given;
  const hosts = commaSeparated(given, name);
  const wrong = hosts.find((host) => URL.parse(`https://${host}`)?.host !== host);
  if (wrong === undefined) return hosts;
  throw new ConfigError(`${name} must be any, none, or hosts such as signer.example, not "${wrong}".`);
};

export interface ListenAddress {
  host: string;
  port: number;
}

/** An address to listen on, such as 127.0.0.1:9464 or [::1]:9464. */
export const listenAddress: Parser<ListenAddress | null> = (given, name) => {
  if (!given) return null;
  const [, host = "", port = ""] = /^(\[[\da-f:.]+\]|[^\s:/]+):(\d{1,5})$/i.exec(given) ?? [];
  if (host && Number(port) <= 65_535) return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
  throw new ConfigError(`${name} must be an address and a port, such as 127.0.0.1:9464.`);
};

/** A secret for the Authorization header. */
export const token: Parser<string | null> = (given, name) => {
  if (!given || /^[!-~]{16,200}$/.test(given)) return given || null;
  // The message doesn't repeat the secret: it may be off by one character.
  throw new ConfigError(`${name} must be 16 to 200 printable ASCII characters without spaces.`);
};

/** A number from 0 to 1. */
export const share: Parser<number> = (given, name) => {
  if (/^(0|1|[01]?\.\d+)$/.test(given) && Number(given) <= 1) return Number(given);
  throw new ConfigError(`${name} must be a number from 0 to 1, not "${given}".`);
};

/** Headers such as `a=b,c=d`, with URL-encoded values. */
export const headerList: Parser<Record<string, string>> = (given, name) => {
  const headers = commaSeparated(given, name).map((one) =>
    /^([\w-]+)=((?:[ -$&-~]|%[2-7][\da-f])*)$/i.exec(one),
  );
  if (headers.every((header) => header !== null))
    return Object.fromEntries(headers.map(([, key = "", value = ""]) => [key, decodeURIComponent(value)]));
  // The message doesn't repeat the headers: one may be a secret.
  throw new ConfigError(`${name} must be headers such as authorization=Bearer%20secret, comma-separated.`);
};

export const contact: Parser<string | null> = (given, name) => {
  if (!given) return null;
  const url = /^[^\s:@]+@[^\s:@]+$/.test(given) ? `mailto:${given}` : given;
  if (/^(mailto:|https:\/\/|tel:)[!-~]+$/.test(url)) return url;
  throw new ConfigError(`${name} must be an email address or a URL with https:, mailto: or tel:.`);
};

export const p256Key: Parser<string | null> = (given, name) => {
  if (!given) return null;
  try {
    if (!/^[\w-]{43}$/.test(given)) throw new Error("wrong length");
    createECDH("prime256v1").setPrivateKey(given, "base64url");
    return given;
  } catch {
    // The message doesn't repeat the key: it may be off by one character.
    throw new ConfigError(`${name} must be a P-256 private key: 32 bytes in base64url.`);
  }
};

import { HOUR, MINUTE, SECOND } from "@tandem/contract/durations";
import { calculateJwkThumbprint } from "jose";

/** What a host publishes as its key directory. */

const MAX_KEYS = 100;
/** Limits to what a directory says about its freshness; the first is also the least time between two loads. */
export const [SHORTEST, USUAL, LONGEST] = [MINUTE, 10 * MINUTE, HOUR];

/** The test key of RFC 9421, whose private half anyone knows. */
const TEST_KEY = "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";

/** An Ed25519 key. Imported only when it verifies: an imported key takes ten times as much memory. */
export interface PublishedKey {
  x: string;
  /** Milliseconds since 1970. */
  from: number;
  until: number;
}

/** How long a directory with this `Cache-Control` is fresh. */
export function freshness(cacheControl: string | null): number {
  const [, seconds] = /(?:^|[\s,])max-age="?(\d{1,9})/i.exec(cacheControl ?? "") ?? [];
  const stated = seconds === undefined ? USUAL : Number(seconds) * SECOND;
  return Math.min(LONGEST, Math.max(SHORTEST, stated));
}

/** Its keys by thumbprint. Throws if it isn't a key set. Keys of other kinds, and malformed ones, are left out. */
export async function keysIn(set: { keys?: unknown } | null): Promise<Map<string, PublishedKey>> {
  if (!Array.isArray(set?.keys) || set.keys.length > MAX_KEYS) throw new Error("not a key set, or too long");
  const found = await Promise.all(set.keys.map((jwk: unknown) => keyOf(jwk).catch(() => null)));
  return new Map(found.flatMap((key) => key ?? []).map(({ thumbprint, ...key }) => [thumbprint, key]));
}

async function keyOf(jwk: unknown): Promise<(PublishedKey & { thumbprint: string }) | null> {
  const {
    kty,
    crv,
    x,
    kid,
    use = "sig",
    nbf = 0,
    exp = Number.MAX_SAFE_INTEGER,
  } = jwk as Record<string, unknown>;
  if (kty !== "OKP" || crv !== "Ed25519" || typeof x !== "string" || use !== "sig") return null;
  if (typeof nbf !== "number" || typeof exp !== "number") return null;
  const bytes = Buffer.from(x, "base64url");
  if (bytes.length !== 32 || bytes.toString("base64url") !== x) return null;
  const thumbprint = await calculateJwkThumbprint({ kty, crv, x });
  if ((kid !== undefined && kid !== thumbprint) || thumbprint === TEST_KEY) return null;
  return { thumbprint, x, from: nbf * SECOND, until: exp * SECOND };
}

export function imported({ x }: PublishedKey): Promise<CryptoKey> {
  return crypto.subtle.importKey("jwk", { kty: "OKP", crv: "Ed25519", x }, "Ed25519", false, ["verify"]);
}

import { HOUR, MINUTE, SECOND } from "@tandem/contract/durations";
import { KEY_DIRECTORY_PATH, KEY_DIRECTORY_TYPE } from "@tandem/contract/signatures";
import { calculateJwkThumbprint } from "jose";
import { Lru } from "../storage/lru.ts";
import { memoizePerInstance } from "./memoize-per-instance.ts";
import { charge } from "./quota.ts";
import type { Services } from "./services.ts";
import { SignatureProblem } from "./signature-problem.ts";

/** Milliseconds that a request waits for a directory. It goes on loading, for the next request. */
const PATIENCE = 2 * SECOND;
/** Seconds until loading it fails. */
const TIMEOUT = 5;
/** A directory of a hundred keys takes about 20 KB. */
const MAX_BYTES = 2 ** 16;
const MAX_KEYS = 100;
/** Directories that are loaded at the same time, and that are remembered. */
const MAX_LOADING = 10;
const REMEMBERED = 1000;
/** How many directories that this process doesn't know an account may name: each is a request to a stranger's server. */
const newDirectories = { name: "directories", limit: 30, seconds: 3600 };
/** Limits to what a directory says about its freshness; the first also applies to failures. */
const [SHORTEST, USUAL, LONGEST] = [MINUTE, 10 * MINUTE, HOUR];
/** How long keys count after they were loaded, if the directory can't be reached. */
const STALE = 24 * HOUR;

/** The test key of RFC 9421, whose private half anyone knows. */
const TEST_KEY = "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";

interface DirectoryKey {
  publicKey: CryptoKey;
  /** Milliseconds since 1970. */
  from: number;
  until: number;
}

interface Directory {
  /** By thumbprint. Null until it was loaded once. */
  keys: ReadonlyMap<string, DirectoryKey> | null;
  loadedAt: number;
  /** When its keys are to be loaded again. */
  freshUntil: number;
  /** Before this, it isn't loaded again, whatever is asked for. */
  nextLoadAt: number;
  loading: Promise<void> | null;
}

/** The key directories that this process knows. */
interface KeyDirectories {
  byOrigin: Lru<string, Directory>;
  loading: number;
}

const directoriesOf = memoizePerInstance(
  (_services: Services): KeyDirectories => ({ byOrigin: new Lru(REMEMBERED), loading: 0 }),
);

/**
 * The key of this thumbprint that an origin publishes. It is loaded from there if it isn't known, at the expense of the account. Throws a
 * `SignatureProblem`.
 */
export async function publishedKey(
  services: Services,
  { origin, keyid, userId }: { origin: string; keyid: string; userId: number },
): Promise<CryptoKey> {
  const known = directoriesOf(services);
  const directory = known.byOrigin.get(origin, () => ({
    keys: null,
    loadedAt: 0,
    freshUntil: 0,
    nextLoadAt: 0,
    loading: null,
  }));
  const now = services.now();
  const isFresh = now < directory.freshUntil && directory.keys?.has(keyid);
  if (!isFresh && (directory.loading || now >= directory.nextLoadAt)) {
    if (!directory.loading && directory.keys === null) await chargeFor(services, userId);
    directory.loading ??= load(services, known, origin, directory);
    await inTime(directory.loading);
  }
  const key = now < directory.loadedAt + STALE ? directory.keys?.get(keyid) : undefined;
  const at = `${origin}${KEY_DIRECTORY_PATH}`;
  if (directory.keys === null)
    throw new SignatureProblem(`The keys at ${at} couldn't be loaded. Try again in a minute.`);
  if (!key || now < key.from || now >= key.until)
    throw new SignatureProblem(`No current Ed25519 key at ${at} has the thumbprint in keyid.`);
  return key.publicKey;
}

async function chargeFor({ storage, now }: Services, userId: number): Promise<void> {
  await storage
    .write((tx) => charge(tx, `directories:${userId}`, [newDirectories], now()))
    .catch(() => {
      throw new SignatureProblem("You named too many key directories. Try again later.");
    });
}

async function inTime(loading: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE);
  });
  await Promise.race([loading, late]);
  clearTimeout(timer);
}

/** Never rejects. A failure says nothing about the keys, so those that are known stay. */
async function load(
  services: Services,
  known: KeyDirectories,
  origin: string,
  directory: Directory,
): Promise<void> {
  if (known.loading >= MAX_LOADING) return settle();
  known.loading += 1;
  try {
    const { status, headers, bytes } = await services.outgoing(origin + KEY_DIRECTORY_PATH, {
      headers: { accept: KEY_DIRECTORY_TYPE },
      redirects: 0,
      maxBytes: MAX_BYTES,
      seconds: TIMEOUT,
      idle: TIMEOUT,
    });
    const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
    if (status !== 200 || type !== KEY_DIRECTORY_TYPE) throw new Error(`${status} ${type}`);
    directory.keys = await keysIn(JSON.parse(bytes.toString()));
    directory.loadedAt = services.now();
    directory.freshUntil = directory.loadedAt + freshness(headers.get("cache-control"));
  } catch (err) {
    services.log.debug({ err, origin }, "a key directory couldn't be loaded");
  } finally {
    known.loading -= 1;
    settle();
  }

  function settle(): void {
    directory.nextLoadAt = services.now() + SHORTEST;
    directory.loading = null;
  }
}

function freshness(cacheControl: string | null): number {
  const [, seconds] = /(?:^|[\s,])max-age="?(\d{1,9})/i.exec(cacheControl ?? "") ?? [];
  const stated = seconds === undefined ? USUAL : Number(seconds) * SECOND;
  return Math.min(LONGEST, Math.max(SHORTEST, stated));
}

/** Throws if it isn't a key set. Keys of other kinds, and malformed ones, are left out. */
async function keysIn(set: { keys?: unknown } | null): Promise<Map<string, DirectoryKey>> {
  if (!Array.isArray(set?.keys) || set.keys.length > MAX_KEYS) throw new Error("not a key set, or too long");
  const found = await Promise.all(set.keys.map((jwk: unknown) => keyOf(jwk).catch(() => null)));
  return new Map(found.flatMap((key) => key ?? []).map(({ thumbprint, ...key }) => [thumbprint, key]));
}

async function keyOf(jwk: unknown): Promise<(DirectoryKey & { thumbprint: string }) | null> {
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
  const thumbprint = await calculateJwkThumbprint({ kty, crv, x });
  if ((kid !== undefined && kid !== thumbprint) || thumbprint === TEST_KEY) return null;
  const publicKey = await crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", false, ["verify"]);
  return { thumbprint, publicKey, from: nbf * SECOND, until: exp * SECOND };
}

import { HOUR, SECOND } from "@tandem/contract/durations";
import { KEY_DIRECTORY_PATH, KEY_DIRECTORY_TYPE } from "@tandem/contract/signatures";
import { Lru } from "../storage/lru.ts";
import { ApiError } from "./api-error.ts";
import { freshness, imported, keysIn, type PublishedKey, SHORTEST } from "./key-set.ts";
import { memoizePerInstance } from "./memoize-per-instance.ts";
import { charge } from "./quota.ts";
import { respectPause } from "./retry-after.ts";
import type { Services } from "./services.ts";
import { SignatureProblem } from "./signature-problem.ts";

/** Milliseconds that a request waits for a directory. It goes on loading, for the next request. */
const PATIENCE = 2 * SECOND;
/** Seconds until loading it fails. */
const TIMEOUT = 5;
/** A directory of a hundred keys takes about 20 KB. */
const MAX_BYTES = 2 ** 16;
/** Directories that are loaded at the same time, in all and for one account. */
const MAX_LOADING = 20;
const MAX_LOADING_FOR_ONE = 2;
/** Requests of an account that wait at the same time. */
const MAX_WAITING = 10;
const REMEMBERED = 1000;
/** How many loads an account may cause that aren't due anyway: each is a request to a stranger's server. */
const newDirectories = { name: "directories", limit: 30, seconds: 3600 };
/** How long keys count after they were loaded, if the directory can't be reached. */
const STALE = 24 * HOUR;

interface Directory {
  /** By thumbprint. */
  keys: ReadonlyMap<string, PublishedKey>;
  loadedAt: number;
  /** When its keys are to be loaded again. */
  freshUntil: number;
}

interface Load {
  userId: number;
  /** Refused if the account may cause no more. */
  outcome: Promise<"done" | "refused">;
}

/** The key directories that this process knows. */
interface KeyDirectories {
  /** Apart from others, so that naming hosts doesn't make it forget keys. */
  loaded: Lru<string, Directory>;
  /** Before this, in milliseconds since 1970, a directory isn't loaded again, whatever is asked for. */
  nextLoads: Lru<string, { at: number }>;
  loads: Map<string, Load>;
  /** How many requests of an account wait. */
  waiting: Map<number, number>;
}

const directoriesOf = memoizePerInstance(
  (_services: Services): KeyDirectories => ({
    loaded: new Lru(REMEMBERED),
    nextLoads: new Lru(2 * REMEMBERED),
    loads: new Map(),
    waiting: new Map(),
  }),
);

/** A key to look up, for a request of an account. */
interface Wanted {
  origin: string;
  /** Its thumbprint. */
  keyid: string;
  userId: number;
  /** Called before it waits. */
  freePlace: () => void;
}

/**
 * The key of this thumbprint that an origin publishes. It is loaded from there if it isn't known, at the expense of the account. Throws a
 * `SignatureProblem`.
 */
export async function publishedKey(services: Services, wanted: Wanted): Promise<CryptoKey> {
  const { origin, keyid } = wanted;
  const known = directoriesOf(services);
  const now = services.now();
  const before = known.loaded.find(origin);
  if (!before || now >= before.freshUntil || !before.keys.has(keyid)) await loadFor(services, known, wanted);
  const directory = known.loaded.find(origin);
  const at = `${origin}${KEY_DIRECTORY_PATH}`;
  if (!directory) throw new SignatureProblem(`The keys at ${at} couldn't be loaded. Try again in a minute.`);
  const key = now < directory.loadedAt + STALE ? directory.keys.get(keyid) : undefined;
  if (!key || now < key.from || now >= key.until)
    throw new SignatureProblem(`No current Ed25519 key at ${at} has the thumbprint in keyid.`);
  return imported(key);
}

/** Loads a directory, or waits for the load that is under way, if the limits allow it. */
async function loadFor(
  services: Services,
  known: KeyDirectories,
  wanted: Wanted,
  attempts = 2,
): Promise<void> {
  const { origin, userId, freePlace } = wanted;
  const waiting = known.waiting.get(userId) ?? 0;
  if (waiting >= MAX_WAITING) return;
  const load = known.loads.get(origin) ?? startLoad(services, known, wanted);
  if (!load) return;
  freePlace();
  known.waiting.set(userId, waiting + 1);
  const outcome = await inTime(load.outcome).finally(() => {
    const left = (known.waiting.get(userId) ?? 1) - 1;
    if (left > 0) known.waiting.set(userId, left);
    else known.waiting.delete(userId);
  });
  if (outcome !== "refused") return;
  // Another account's limit doesn't concern this one.
  if (load.userId !== userId)
    return attempts > 1 ? loadFor(services, known, wanted, attempts - 1) : undefined;
  throw new SignatureProblem("You named too many key directories. Try again later.");
}

async function inTime<T>(outcome: Promise<T>): Promise<T | "late"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(resolve, PATIENCE, "late");
  });
  return Promise.race([outcome, late]).finally(() => clearTimeout(timer));
}

/** Null if it may not be loaded now. */
function startLoad(
  services: Services,
  known: KeyDirectories,
  { origin, userId }: Pick<Wanted, "origin" | "userId">,
): Load | null {
  if (services.now() < (known.nextLoads.find(origin)?.at ?? 0)) return null;
  const own = [...known.loads.values()].filter((load) => load.userId === userId);
  if (known.loads.size >= MAX_LOADING || own.length >= MAX_LOADING_FOR_ONE) return null;
  const outcome = load(services, known, origin, userId).finally(() => known.loads.delete(origin));
  const started: Load = { userId, outcome };
  known.loads.set(origin, started);
  // The last request may have stopped waiting.
  outcome.catch((err) => services.log.warn({ err }, "a key directory wasn't loaded"));
  return started;
}

/** Rejects only if the database does. A failure says nothing about the keys, so those that are known stay. */
async function load(
  services: Services,
  known: KeyDirectories,
  origin: string,
  userId: number,
): Promise<"done" | "refused"> {
  const { now, log } = services;
  const isDue = now() >= (known.loaded.find(origin)?.freshUntil ?? Number.POSITIVE_INFINITY);
  if (!isDue && !(await chargeFor(services, userId))) return "refused";
  try {
    const { status, headers, bytes } = await respectPause(services, `keys of ${origin}`, () =>
      services.outgoing(origin + KEY_DIRECTORY_PATH, {
        headers: { accept: KEY_DIRECTORY_TYPE },
        redirects: 0,
        maxBytes: MAX_BYTES,
        seconds: TIMEOUT,
        idle: TIMEOUT,
      }),
    );
    const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
    if (status !== 200 || type !== KEY_DIRECTORY_TYPE) throw new Error(`${status} ${type}`);
    const keys = await keysIn(JSON.parse(bytes.toString()));
    const freshUntil = now() + freshness(headers.get("cache-control"));
    Object.assign(
      known.loaded.get(origin, () => ({ keys, loadedAt: 0, freshUntil })),
      { keys, loadedAt: now(), freshUntil },
    );
  } catch (err) {
    log.debug({ err, origin }, "a key directory couldn't be loaded");
  }
  known.nextLoads.get(origin, () => ({ at: 0 })).at = now() + SHORTEST;
  return "done";
}

/** Whether the account may cause another load. */
async function chargeFor({ storage, now }: Services, userId: number): Promise<boolean> {
  try {
    await storage.write((tx) => charge(tx, `directories:${userId}`, [newDirectories], now()));
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === "rate_limited") return false;
    throw error;
  }
}

import { createHash, randomBytes } from "node:crypto";
import { limits } from "@tandem/contract/limits";
import { sql } from "kysely";
import { memoizePerInstance } from "../../http/memoize-per-instance.ts";
import { networkOf, siteOf } from "../../http/network.ts";
import type { Viewer } from "../../http/serve-live.ts";
import type { Services } from "../../http/services.ts";
import { type Db, Overloaded } from "../../storage/storage.ts";

/** Milliseconds for which a request for a playlist counts as a viewer, and for which a stored count is valid. */
export const VIEWER_LIFE = limits.liveViewerSeconds * 1000;
/** Milliseconds between two stored counts of one stream. */
const STORE_INTERVAL = 5_000;
/** Players that a process remembers per stream. */
const MOST_PLAYERS = 50_000;
/** Kinds of player told apart per network, and networks per IPv6 site, so that one client can't pretend to be many. */
const KINDS = 16;
const NETWORKS = 32;

interface Stream {
  /** When each player last asked, the latest last. */
  players: Map<number, number>;
  askedAt: number;
  storedAt: number;
}

export const viewersOf = memoizePerInstance((services: Services) => new LiveViewers(services));

/**
 * Counts who watches: players repeat their request for the playlist every few seconds. Each process stores what it knows, and the
 * list merges that. There is no timer: when the last viewer leaves, nothing is stored any more, and the count expires. Memory is
 * bounded by the requests of {@link VIEWER_LIFE}.
 */
class LiveViewers {
  readonly #services: Services;
  readonly #process = randomBytes(9).toString("base64url");
  /** In the order of their last request. */
  readonly #streams = new Map<number, Stream>();

  constructor(services: Services) {
    this.#services = services;
  }

  /** Counts a viewer of an account's stream. */
  add(userId: number, viewer: Viewer): void {
    const player = playerOf(userId, viewer);
    if (player === null) return;
    const now = this.#services.now();
    const stream = this.#streamOf(userId, now);
    moveToEnd(stream.players, player, now);
    if (stream.players.size > MOST_PLAYERS) deleteFirst(stream.players);
    if (now - stream.storedAt < STORE_INTERVAL) return;
    stream.storedAt = now;
    deleteUntil(stream.players, (at) => at > now - VIEWER_LIFE);
    void this.#store(userId, stream.players, now);
  }

  #streamOf(userId: number, now: number): Stream {
    const stream = this.#streams.get(userId) ?? {
      players: new Map(),
      askedAt: now,
      storedAt: Number.NEGATIVE_INFINITY,
    };
    stream.askedAt = now;
    moveToEnd(this.#streams, userId, stream);
    deleteUntil(this.#streams, ({ askedAt }) => askedAt > now - VIEWER_LIFE);
    return stream;
  }

  async #store(user_id: number, players: Stream["players"], counted_at: number): Promise<void> {
    const { storage, log } = this.#services;
    const sample = JSON.stringify(sampleOf(players.keys()));
    const values = { viewers: players.size, sample, counted_at };
    const work = (tx: Db) =>
      tx
        .insertInto("live_viewers")
        .values({ user_id, process: this.#process, ...values })
        .onConflict((conflict) => conflict.columns(["user_id", "process"]).doUpdateSet(values))
        .execute();
    try {
      await storage.write(work);
    } catch (err) {
      const reason = err instanceof Overloaded ? err.message : "see the error";
      log.warn({ err }, `the viewers of a live stream could not be stored: ${reason}`);
    }
  }
}

function moveToEnd<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key);
  map.set(key, value);
}

function deleteFirst(map: Map<number, unknown>): void {
  for (const [key] of map) return void map.delete(key);
}

/** Deletes entries from the beginning, up to the first that is to stay. */
function deleteUntil<Value>(map: Map<number, Value>, stays: (value: Value) => boolean): void {
  for (const [key, value] of map) {
    if (stays(value)) return;
    map.delete(key);
  }
}

/** Numbers below this one. */
const HASHES = 2 ** 32;

function hash(text: string): number {
  return createHash("sha1").update(text).digest().readUInt32BE();
}

/** A number for who asks, the same in all processes; null if the network isn't known. Different for each account's stream. */
function playerOf(userId: number, { address, userAgent }: Viewer): number | null {
  const network = networkOf(address);
  if (network === null) return null;
  const site = siteOf(address);
  const place = site === null ? network : `${site} ${hash(network) % NETWORKS}`;
  return hash(`${userId} ${place} ${hash(userAgent) % KINDS}`);
}

/** Players in a sample: up to so many, viewers are counted exactly, beyond that within about 10 %. */
const SAMPLE = 128;

/** The players with the lowest numbers. From several samples of one stream follows the number of different players. */
function sampleOf(players: Iterable<number>): number[] {
  return [...Float64Array.from(players).sort().subarray(0, SAMPLE)];
}

interface Counted {
  user_id: number;
  viewers: number;
  sample: string;
}

/** How many watch these accounts' streams. One player may have asked several processes. */
export async function countViewers(
  db: Db,
  userIds: readonly number[],
  now: number,
): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom("live_viewers")
    .select(["user_id", "viewers", "sample"])
    .where(sql<boolean>`user_id in (${db.engine.oneOf(userIds)})`)
    .where("counted_at", ">", now - VIEWER_LIFE)
    .execute();
  const countsOf = (userId: number) => rows.filter(({ user_id }) => user_id === userId);
  return new Map(userIds.map((userId) => [userId, mergedCount(countsOf(userId))]));
}

function mergedCount(counts: readonly Counted[]): number {
  const most = Math.max(0, ...counts.map(({ viewers }) => viewers));
  if (counts.length < 2) return most;
  const all = new Set(counts.flatMap(({ sample }): number[] => JSON.parse(sample)));
  if (most <= SAMPLE) return all.size;
  // The more players there are, the lower are the lowest of their numbers, which are random.
  const lowest = sampleOf(all);
  return Math.max(most, Math.round(((SAMPLE - 1) * HASHES) / Number(lowest.at(-1))));
}

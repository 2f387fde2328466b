import { memoizePerInstance } from "../../http/memoize-per-instance.ts";
import type { Services } from "../../http/services.ts";
import { type Outgoing, openOutgoing } from "../../outgoing/outgoing.ts";
import { userAgentOf } from "../../outgoing/user-agent.ts";
import { Lru } from "../../storage/lru.ts";
import { type MediaPlaylist, type MultivariantPlaylist, parsePlaylist } from "./media-playlist.ts";

export type UpstreamPlaylist = MediaPlaylist | MultivariantPlaylist;

/** Milliseconds for which a playlist serves all its viewers. */
const FRESH = 1_000;
/** Milliseconds for which the last playlist stands in for one that can't be read: a lost request shouldn't interrupt viewers. */
const STALE = 5_000;
/** Streams whose playlists are kept. */
const STREAMS = 500;

const requestLimits = { maxBytes: 2 ** 18, seconds: 3, idle: 3, redirects: 3, sameHostOnly: true };

const segmentLimits = { ...requestLimits, maxBytes: 2 ** 24, seconds: 5 };

interface Entry {
  fetchedAt: number;
  pending: Promise<UpstreamPlaylist | null>;
  good: UpstreamPlaylist | null;
  goodAt: number;
}

export const upstreamOf = memoizePerInstance((services: Services) => new UpstreamPlaylists(services));

/** Reads the streaming server's playlists: each at most once per second, however many viewers it has. */
class UpstreamPlaylists {
  readonly #entries = new Lru<string, Entry>(STREAMS);
  readonly #outgoing: Outgoing;

  constructor(services: Services) {
    // The administrator chose the streaming server, which may be in the own network.
    const everywhere = ["0.0.0.0/0", "::/0"];
    this.#outgoing = openOutgoing({ allowed: everywhere, userAgent: () => userAgentOf(services) });
  }

  /** The playlist at this URL; null if there is none, or the server can't be reached. */
  read(url: string): Promise<UpstreamPlaylist | null> {
    const entry = this.#entries.get(url, () => ({
      fetchedAt: Number.NEGATIVE_INFINITY,
      pending: Promise.resolve(null),
      good: null,
      goodAt: Number.NEGATIVE_INFINITY,
    }));
    if (performance.now() - entry.fetchedAt > FRESH) {
      entry.fetchedAt = Number.POSITIVE_INFINITY;
      entry.pending = this.#refresh(url, entry);
    }
    return entry.pending;
  }

  /**
   * The latest segment of a stream, with the initialization that it needs before it; null if there is none, or if it is encrypted, too
   * large or on another server than its playlist.
   */
  async readLatest(url: string): Promise<Buffer | null> {
    const playlist = await this.read(url);
    const lines = playlist && "segments" in playlist ? playlist.segments.flat() : [];
    const segment = lines.at(-1);
    const map = /^#EXT-X-MAP:.*\bURI="([^"]+)"/.exec(
      lines.findLast((line) => line.startsWith("#EXT-X-MAP:")) ?? "",
    );
    const isEncrypted = lines.some((line) => /^#EXT-X-KEY:(?!.*METHOD=NONE)/.test(line));
    const addresses = [...(map?.[1] ? [map[1]] : []), ...(segment ? [segment] : [])];
    if (!segment || isEncrypted || !addresses.every((address) => isSameOrigin(address, url))) return null;
    try {
      const parts = await Promise.all(addresses.map((address) => this.#outgoing(address, segmentLimits)));
      return parts.every(({ status }) => status === 200)
        ? Buffer.concat(parts.map(({ bytes }) => bytes))
        : null;
    } catch {
      return null;
    }
  }

  async #refresh(url: string, entry: Entry): Promise<UpstreamPlaylist | null> {
    const playlist = await this.#load(url);
    entry.fetchedAt = performance.now();
    if (playlist) Object.assign(entry, { good: playlist, goodAt: entry.fetchedAt });
    return entry.fetchedAt - entry.goodAt <= STALE ? entry.good : null;
  }

  async #load(url: string, depth = 0): Promise<UpstreamPlaylist | null> {
    try {
      const response = await this.#outgoing(url, requestLimits);
      if (response.status !== 200) return null;
      const playlist = parsePlaylist(response.bytes.toString(), response.url);
      if (playlist === null || !("only" in playlist) || playlist.only === null) return playlist;
      return depth === 0 && isSameOrigin(playlist.only, url) ? await this.#load(playlist.only, 1) : playlist;
    } catch {
      return null;
    }
  }
}

function isSameOrigin(one: string, other: string): boolean {
  return URL.canParse(one) && new URL(one).origin === new URL(other).origin;
}

import { readFile } from "node:fs/promises";
import type { Viewer } from "../../http/serve-live.ts";
import type { Services } from "../../http/services.ts";
import { type Db, Overloaded } from "../../storage/storage.ts";
import { type Broadcaster, isLive, readBroadcaster, streamUrl } from "./broadcaster.ts";
import type { MediaPlaylist } from "./media-playlist.ts";
import { upstreamOf } from "./upstream-playlist.ts";
import { viewersOf } from "./viewers.ts";

/** The slate: a second of picture and silence, which is shown while there is no stream. README.md says how it was made. */
export const slate = readFile(new URL("slate.mpegts", import.meta.url));

/** The slate's address, relative to the playlist. */
export const SLATE = "slate.ts";

/** Segments of the slate in a playlist: enough that a slow player finds the next one still listed. */
const SLATES = 15;

/** Segments of the slate have the number of their second since then. */
const FIRST_SECOND = Date.UTC(2026, 0, 1);

/**
 * An account's HLS playlist, which never ends: its stream while it runs and can be read, else the slate. Null if there is no such
 * account. Calls `freePlace` before it waits for the streaming server. Counts the viewer, if the account is live.
 *
 * A player that waits at the slate goes on to the stream. The slate has a number per second; the stream's segments get the numbers
 * after it and, being longer than a second, don't overtake it. So a player's next number exists when the slate returns.
 */
export async function livePlaylist(
  services: Services,
  username: string,
  freePlace: () => void,
  viewer: Viewer | null,
): Promise<string | null> {
  const account = await readBroadcaster(services.storage.read, username);
  if (!account) return null;
  freePlace();
  const slateNumber = Math.max(SLATES, Math.floor((services.now() - FIRST_SECOND) / 1000));
  if (viewer && isLive(services, account)) viewersOf(services).add(account.id, viewer);
  const url = streamUrl(services, account);
  if (url === null) return writeSlate(slateNumber);
  const playlist = await upstreamOf(services).read(url);
  if (playlist && "lines" in playlist) return playlist.lines.join("\n");
  const start = await startOf(services, account, playlist, slateNumber);
  return playlist && start ? writeStream(playlist, start) : writeSlate(slateNumber);
}

/** Which number a segment of the streaming server has in the account's playlist. */
interface Start {
  first: number;
  upstream: number;
}

/**
 * Where the stream begins in the account's playlist: after the slate that was last shown. It is stored, so that all processes give the
 * same numbers, and forgotten when the stream can't be read: the slate goes on counting.
 */
async function startOf(
  { storage, log }: Services,
  account: Broadcaster,
  playlist: MediaPlaylist | null,
  slateNumber: number,
): Promise<Start | null> {
  const { id, username, started_at } = account;
  const stored = storedStart(account);
  const last = playlist && playlist.number + playlist.segments.length - 1;
  // A lower number than at the start: the streaming server counts from the start again.
  if (last === null ? !stored : stored && last >= stored.upstream) return stored;
  // Only the latest segment at first, because earlier ones would use up numbers faster than time passes.
  const start = last === null ? null : { first: slateNumber + 1, upstream: last };
  const change = (tx: Db) =>
    tx
      .updateTable("lives")
      .set({ first_number: start?.first ?? null, upstream_number: start?.upstream ?? null })
      .where("user_id", "=", id)
      .where("started_at", "=", started_at)
      .where("first_number", stored ? "=" : "is", stored?.first ?? null)
      .returning("user_id")
      .executeTakeFirst();
  try {
    if (await storage.write(change)) return start;
    // Another request was first.
    const now = await readBroadcaster(storage.read, username);
    return now ? storedStart(now) : null;
  } catch (err) {
    if (!(err instanceof Overloaded)) throw err;
    log.warn({ err }, "where a live stream begins could not be stored: the database is busy");
    return null;
  }
}

function storedStart({ first_number: first, upstream_number: upstream }: Broadcaster): Start | null {
  return first === null || upstream === null ? null : { first, upstream };
}

/** Every repetition starts at the same timestamps, hence the discontinuities. */
const slateSegment = ["#EXT-X-DISCONTINUITY", "#EXTINF:1.0,", SLATE];

function writeSlate(last: number): string {
  const first = last - SLATES + 1;
  return write({ version: 3, target: 2, number: first, discontinuity: first - 1 }, repeated(SLATES));
}

function writeStream(playlist: MediaPlaylist, { first, upstream }: Start): string {
  const { version, target, segments, independent } = playlist;
  const facts = { version: Math.max(version, 3), target: Math.max(target, 2), independent };
  const early = upstream - playlist.number;
  // As long as the stream's start is listed, the slate is too, so that waiting players see how one follows the other.
  if (early >= 0)
    return write({ ...facts, number: first - SLATES, discontinuity: first - SLATES - 1 }, [
      ...repeated(SLATES),
      ["#EXT-X-DISCONTINUITY", ...inForce(segments.slice(0, early)), ...(segments[early] ?? [])],
      ...segments.slice(early + 1),
    ]);
  return write({ ...facts, number: first - early, discontinuity: first + playlist.discontinuity }, segments);
}

/** The key and the initialization that apply after these segments, too. */
function inForce(segments: readonly string[][]): string[] {
  return ["#EXT-X-KEY:", "#EXT-X-MAP:"]
    .map((tag) => segments.flat().findLast((line) => line.startsWith(tag)))
    .filter((line) => line !== undefined);
}

const repeated = (times: number): string[][] => Array.from({ length: times }, () => slateSegment);

interface PlaylistFacts extends Pick<MediaPlaylist, "version" | "target" | "number" | "discontinuity"> {
  independent?: boolean;
}

function write(facts: PlaylistFacts, segments: string[][]): string {
  return [
    "#EXTM3U",
    `#EXT-X-VERSION:${facts.version}`,
    ...(facts.independent ? ["#EXT-X-INDEPENDENT-SEGMENTS"] : []),
    `#EXT-X-TARGETDURATION:${facts.target}`,
    `#EXT-X-MEDIA-SEQUENCE:${facts.number}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${facts.discontinuity}`,
    ...segments.flat(),
    "",
  ].join("\n");
}

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { digitalSourceTypes } from "@tandem/contract/digital-source-types";
import { limits } from "@tandem/contract/limits";
import { memoizePerInstance } from "../../http/memoize-per-instance.ts";
import type { Services } from "../../http/services.ts";
import { FairQueue, onBehalfOf } from "../../media/fair-queue.ts";
import { inFolder } from "../../media/folder.ts";
import { InvalidMedia } from "../../media/invalid-media.ts";
import { drawStill } from "../../media/video.ts";
import { decodingTimeOf, MediaBusy } from "../../media/worker-pool.ts";
import { Lru } from "../../storage/lru.ts";
import { Overloaded } from "../../storage/storage.ts";
import { type Broadcaster, readBroadcaster, streamUrl } from "./broadcaster.ts";
import { upstreamOf } from "./upstream-playlist.ts";

/** Milliseconds for which a thumbnail is shown. */
const LIFE = limits.liveThumbnailSeconds * 1000;
/** Streams whose thumbnails are kept. */
const STREAMS = 500;

/** Segments that a process holds in memory at a time, and requests that wait for their turn. */
const SLOTS = 4;
const MAX_WAITING = 100;

interface Entry {
  drawnAt: number;
  picture: Promise<Buffer | null>;
}

/** By stream, so that none begins with a picture of the account's previous one. */
const picturesOf = memoizePerInstance((_services: Services) => new Lru<string, Entry>(STREAMS));

const queue = new FairQueue(MAX_WAITING);

/** The number of the period of {@link LIFE} that a time is in, which changes a thumbnail's URL. */
export const thumbnailPeriod = (now: number) => Math.floor(now / LIFE);

/** Milliseconds until the next attempt while a stream has no segment yet. */
const RETRY = 3_000;

/**
 * A recent picture of an account's stream as WebP, drawn at most once per period. Null while the stream can't be read or decoded, for
 * which ffmpeg must be installed; undefined if the account isn't live. Calls `freePlace` before it waits for the streaming server.
 */
export async function liveThumbnail(
  services: Services,
  username: string,
  freePlace: () => void,
): Promise<Buffer | null | undefined> {
  const broadcaster = await readBroadcaster(services.storage.read, username);
  const url = broadcaster ? streamUrl(services, broadcaster) : null;
  if (!broadcaster || url === null) return undefined;
  freePlace();
  const now = services.now();
  const entry = picturesOf(services).get(`${broadcaster.id} ${broadcaster.started_at}`, () => ({
    drawnAt: Number.NEGATIVE_INFINITY,
    picture: Promise.resolve(null),
  }));
  if (now - entry.drawnAt >= LIFE) {
    entry.drawnAt = now;
    entry.picture = refresh(services, broadcaster, url, entry);
  }
  return entry.picture;
}

/** The stream's new picture; the last one while nothing new can be drawn. */
async function refresh(
  services: Services,
  broadcaster: Broadcaster,
  url: string,
  entry: Entry,
): Promise<Buffer | null> {
  const { picture: last, drawnAt } = entry;
  const latest = async () => {
    const segment = await upstreamOf(services).readLatest(url);
    if (segment) return draw(services, broadcaster, segment);
    entry.drawnAt = drawnAt - LIFE + RETRY;
    return null;
  };
  // What decoding costs is the broadcaster's, as with uploads.
  const drawn = onBehalfOf(personOf(broadcaster), () => queue.run(SLOTS, () => new MediaBusy(), latest));
  return (await drawn.catch(() => null)) ?? last;
}

/** An agent's operator is responsible for it. */
const personOf = ({ id, operator_id }: Broadcaster): number => operator_id ?? id;

async function draw(services: Services, broadcaster: Broadcaster, segment: Buffer): Promise<Buffer | null> {
  const { media, log, config } = services;
  if (decodingTimeOf(personOf(broadcaster)).milliseconds >= config.limits.mediaSecondsPerHour * 1000)
    return null;
  // Keys can't go live, so all that an agent's stream shows is by the agent.
  const mark = broadcaster.role === "agent" ? digitalSourceTypes.ai_generated : null;
  try {
    return await inFolder(media.incoming, async (folder) => {
      const path = join(folder, "segment");
      await writeFile(path, segment);
      const still = await drawStill(path, folder, mark);
      return still === null ? null : await readFile(still);
    });
  } catch (err) {
    if (!(err instanceof InvalidMedia || err instanceof Overloaded))
      log.warn({ err }, "a live stream's thumbnail failed");
    return null;
  }
}

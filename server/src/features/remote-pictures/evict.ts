import { DAY } from "@tandem/contract/durations";
import type { Services } from "../../http/services.ts";
import { cachedBytes, deleteEntries, type Evicted, evictable } from "./entries.queries.ts";

/** Entries per batch. */
const BATCH = 100;
/** Milliseconds that an entry stays after it expired. */
const GRACE = DAY;
const MiB = 2 ** 20;

/**
 * Keeps the cache within its size, which it may exceed by what is fetched between two runs. The pictures that were used least
 * recently go first, and those that expired.
 */
export async function evictRemotePictures(services: Services, signal: AbortSignal): Promise<void> {
  const { storage, now, config } = services;
  const expired = now() - GRACE;
  for (let some = await first(); some.length > 0 && !signal.aborted; some = await first())
    await evict(services, some);
  let excess = (await cachedBytes(storage.read)) - config.remotePictures.megabytes * MiB;
  while (excess > 0 && !signal.aborted) {
    const some = await evictable(storage.read, null, BATCH);
    if (some.length === 0) break;
    const enough = some.findIndex((_, i) => sizeOf(some.slice(0, i + 1)) >= excess);
    const going = enough < 0 ? some : some.slice(0, enough + 1);
    await evict(services, going);
    excess -= sizeOf(going);
  }

  function first(): Promise<Evicted[]> {
    return evictable(storage.read, { expired }, BATCH);
  }
}

const sizeOf = (entries: readonly Evicted[]) => entries.reduce((sum, { bytes }) => sum + bytes, 0);

/** Files first: an entry without its file is fetched again, but a file without its entry stays for a day. */
async function evict({ media, storage }: Services, entries: readonly Evicted[]): Promise<void> {
  await media.store.remove(entries.flatMap(({ file }) => file ?? []));
  await storage.write((tx) => deleteEntries(tx, entries));
}

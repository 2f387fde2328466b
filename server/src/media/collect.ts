import type { Storage } from "../storage/storage.ts";
import type { Media } from "./media.ts";
import { isMediaName } from "./names.ts";
import { forget, namedOf, unowned } from "./rows.ts";

interface House {
  storage: Storage;
  media: Media;
}

/** So many at a time. */
const BATCH = 100;

/**
 * Removes the files of what was deleted. First the files, then the row that names them: if it breaks off between, it is
 * done again.
 */
export async function collect({ storage, media }: House): Promise<void> {
  for (;;) {
    const { ids, names } = await unowned(storage.read, BATCH);
    if (ids.length === 0) return;
    await media.store.remove(names);
    await storage.write((tx) => forget(tx, ids));
  }
}

/** Milliseconds that a file may lie in the store without a row: so long nobody takes between the two. */
const GRACE = 24 * 3_600_000;

/**
 * Removes files that no row names: what a process left that died between storing a file and telling of it. What doesn't
 * have a name such as ours is somebody else's, who shares the bucket, and stays.
 */
export async function sweepStore({ storage, media }: House, before = Date.now() - GRACE): Promise<void> {
  let names: string[] = [];
  const flush = async () => {
    const named = await namedOf(storage.read, names);
    await media.store.remove(names.filter((name) => !named.has(name)));
    names = [];
  };
  for await (const { name, storedAt } of media.store.list()) {
    if (storedAt < before && isMediaName(name)) names.push(name);
    if (names.length >= BATCH) await flush();
  }
  await flush();
}

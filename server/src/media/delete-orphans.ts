import type { Storage } from "../storage/storage.ts";
import type { Media } from "./media.ts";
import { isMediaName } from "./names.ts";
import { forget, namedOf, unowned } from "./rows.ts";
import type { Store } from "./store.ts";

interface Services {
  storage: Storage;
  media: Media;
}

/** So many at a time. */
const BATCH = 100;

/**
 * Removes the files of what was deleted. First the files, then the row that names them: if it breaks off between, it is
 * done again. Throws in the end where some could not be removed: the next run tries them once more.
 */
export async function collect({ storage, media }: Services, signal?: AbortSignal): Promise<void> {
  const remover = new Remover(media.store);
  for (let after = 0; !signal?.aborted; ) {
    const some = await unowned(storage.read, after, BATCH);
    const last = some.at(-1);
    if (!last) break;
    const gone: number[] = [];
    for (const { id, names } of some) if (await remover.remove(names)) gone.push(id);
    await storage.write((tx) => forget(tx, gone));
    after = last.id;
  }
  remover.tell();
}

/** Goes on where files can't be removed, so that none behind them wait, and tells of it when all others are gone. */
class Remover {
  readonly #store: Store;
  #failures = 0;
  #first: unknown;

  constructor(store: Store) {
    this.#store = store;
  }

  async remove(names: readonly string[]): Promise<boolean> {
    try {
      await this.#store.remove(names);
      return true;
    } catch (error) {
      if (this.#failures === 0) this.#first = error;
      this.#failures += 1;
      return false;
    }
  }

  tell(): void {
    if (this.#failures > 0)
      throw new Error(`files could not be removed, ${this.#failures} times`, {
        cause: this.#first,
      });
  }
}

/** Milliseconds that a file may lie in the store without a row: so long nobody takes between the two. */
const GRACE = 24 * 3_600_000;

/**
 * Removes files that no row names: what a process left that died between storing a file and telling of it. What doesn't
 * have a name such as ours is somebody else's, who shares the bucket, and stays. Throws as {@link collect} does.
 */
export async function sweepStore({ storage, media }: Services, before = Date.now() - GRACE): Promise<void> {
  const remover = new Remover(media.store);
  let names: string[] = [];
  const flush = async () => {
    const named = await namedOf(storage.read, names);
    for (const name of names) if (!named.has(name)) await remover.remove([name]);
    names = [];
  };
  for await (const { name, storedAt } of media.store.list()) {
    if (storedAt < before && isMediaName(name)) names.push(name);
    if (names.length >= BATCH) await flush();
  }
  await flush();
  remover.tell();
}

import { DAY } from "@tandem/contract/durations";
import type { Storage } from "../storage/storage.ts";
import type { Media } from "./media.ts";
import { isMediaName } from "./names.ts";
import { deleteMedia, filesWithRow, unowned } from "./rows.ts";
import type { Store } from "./store.ts";

interface Services {
  storage: Storage;
  media: Media;
}

/** Rows or files per batch. */
const BATCH = 100;

/**
 * Deletes the files of media without an owner, then their rows. An interrupted run is simply repeated. Throws at the
 * end if some files couldn't be deleted; the next run retries them.
 */
export async function deleteOrphans({ storage, media }: Services, signal?: AbortSignal): Promise<void> {
  const remover = new Remover(media.store);
  for (let after = 0; !signal?.aborted; ) {
    const some = await unowned(storage.read, after, BATCH);
    const last = some.at(-1);
    if (!last) break;
    const deleted: number[] = [];
    for (const { id, names } of some) if (await remover.remove(names)) deleted.push(id);
    await storage.write((tx) => deleteMedia(tx, deleted));
    after = last.id;
  }
  remover.throwIfFailed();
}

/** Deletes files and continues after failures, so that these don't block the files after them. */
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

  throwIfFailed(): void {
    if (this.#failures > 0)
      throw new Error(`${this.#failures} batches of files couldn't be deleted`, {
        cause: this.#first,
      });
  }
}

/** Milliseconds that a file may exist without a row. Far longer than any upload takes from storing it to its row. */
const GRACE = DAY;

/**
 * Deletes files without a row, left by processes that died between storing a file and inserting its row. Files with
 * other names than ours belong to other users of the bucket and stay. Throws as {@link deleteOrphans} does.
 */
export async function sweepStore({ storage, media }: Services, before = Date.now() - GRACE): Promise<void> {
  const remover = new Remover(media.store);
  let names: string[] = [];
  const flush = async () => {
    const named = await filesWithRow(storage.read, names);
    for (const name of names) if (!named.has(name)) await remover.remove([name]);
    names = [];
  };
  for await (const { name, storedAt } of media.store.list()) {
    if (storedAt < before && isMediaName(name)) names.push(name);
    if (names.length >= BATCH) await flush();
  }
  await flush();
  remover.throwIfFailed();
}

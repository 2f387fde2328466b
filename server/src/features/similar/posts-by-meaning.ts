import { memoizePerInstance } from "../../http/memoize-per-instance.ts";
import type { Services } from "../../http/services.ts";
import type { Storage } from "../../storage/storage.ts";
import { fromText, type Meaning, type Neighbor } from "./meanings.ts";
import { MeaningWorker } from "./worker.ts";

/** Rows that are read at once: a few milliseconds, during which this process does nothing else on SQLite. */
const BATCH = 1000;

/** Finds posts by meaning. Knows what was committed before a call, by whichever process. */
export class PostsByMeaning {
  readonly #storage: Storage;
  readonly #worker = new MeaningWorker();
  /** What the worker process knows: changes up to a number, if it is still the same process. */
  #known = { ended: 0, upTo: 0 };
  #loading: Promise<void> = Promise.resolve();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Throws an `Overloaded` error if too many searches wait already. */
  assertRoom(): void {
    this.#worker.assertRoom();
  }

  /** What texts mean. */
  understand(texts: readonly string[]): Promise<Meaning[]> {
    return this.#worker.run("understand", { texts });
  }

  /** The posts closest to a meaning or to a post, which then is among them, closest first. */
  async nearest(to: Meaning | number, count: number): Promise<Neighbor[]> {
    const load = () => this.#load();
    this.#loading = this.#loading.then(load, load);
    await this.#loading;
    return this.#worker.run("nearest", { to, count });
  }

  /** Adds posts that are yet to be stored. */
  put(posts: readonly { id: number; meaning: Meaning }[]): Promise<void> {
    return this.#worker.run("put", { posts });
  }

  stop(): void {
    this.#worker.stop();
  }

  /** Tells the worker process what it doesn't know yet. */
  async #load(): Promise<void> {
    const { ended } = this.#worker;
    let upTo = this.#known.ended === ended ? this.#known.upTo : 0;
    for (let isMore = true; isMore; ) {
      const rows = await this.#storage.read
        .selectFrom("post_meanings")
        .select(["post_id", "number", "meaning"])
        .where("number", ">", upTo)
        .orderBy("number")
        .limit(BATCH)
        .execute();
      const posts = rows.flatMap(({ post_id: id, meaning }) =>
        meaning === null ? [] : [{ id, meaning: fromText(meaning) }],
      );
      if (posts.length > 0) await this.put(posts);
      upTo = rows.at(-1)?.number ?? upTo;
      isMore = rows.length === BATCH;
    }
    this.#known = { ended, upTo };
  }
}

export const postsByMeaningOf = memoizePerInstance(({ storage }: Services) => new PostsByMeaning(storage));

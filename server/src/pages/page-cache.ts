import type { Content } from "../http/content.ts";

/** What pages take in memory at most; the oldest are dropped first. */
const MAX_BYTES = 32 * 2 ** 20;

interface Cacheable {
  content: Content;
}

export interface Shared<Page> {
  page: Page;
  age: number;
}

interface Entry<Page> {
  page: Promise<Page | null>;
  /** When the page's data began to be read, in milliseconds of `performance.now()`. */
  madeAt: number;
  /** 0 while it is being made. */
  bytes: number;
}

/**
 * Caches pages that are the same for everyone who requests them by the same key, for some seconds. Requests for a page that is
 * being made share it. So however many readers a page has, it is made once in that time. Null isn't cached.
 */
export class PageCache<Page extends Cacheable> {
  readonly #milliseconds: number;
  /** In the order in which they were made. */
  readonly #entries = new Map<string, Entry<Page>>();
  #bytes = 0;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  get isOn(): boolean {
    return this.#milliseconds > 0;
  }

  has(key: string): boolean {
    return this.#fresh(key) !== undefined;
  }

  /** The page, and its age in whole seconds. */
  async share<Made extends Page | null>(key: string, make: () => Promise<Made>): Promise<Shared<Made>> {
    if (!this.isOn) return { page: await make(), age: 0 };
    const entry = this.#fresh(key) ?? this.#make(key, make);
    // Values of a key are always made by the same function.
    const page = (await entry.page) as Made;
    return { page, age: Math.floor((performance.now() - entry.madeAt) / 1000) };
  }

  #fresh(key: string): Entry<Page> | undefined {
    const entry = this.#entries.get(key);
    return entry && performance.now() - entry.madeAt < this.#milliseconds ? entry : undefined;
  }

  #make(key: string, make: () => Promise<Page | null>): Entry<Page> {
    const entry: Entry<Page> = { page: make(), madeAt: performance.now(), bytes: 0 };
    this.#drop(key);
    this.#entries.set(key, entry);
    this.#trim();
    const isCurrent = () => this.#entries.get(key) === entry;
    entry.page.then(
      (page) => {
        if (!isCurrent()) return;
        if (!page) return this.#drop(key);
        entry.bytes = page.content.size + key.length;
        this.#bytes += entry.bytes;
        this.#trim();
      },
      () => isCurrent() && this.#drop(key),
    );
    return entry;
  }

  /** Removes what has expired, and the oldest while there is too much. */
  #trim(): void {
    for (const [key, { madeAt }] of this.#entries) {
      if (performance.now() - madeAt < this.#milliseconds && this.#bytes <= MAX_BYTES) return;
      this.#drop(key);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}

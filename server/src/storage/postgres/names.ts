import { createHash } from "node:crypto";

/**
 * So many texts are prepared. The server keeps each for as long as its connection lasts, and callers can ask for
 * more shapes of a feed than there is memory: those that come late go without, and are planned each time.
 */
export const MOST_NAMES = 500;

/** The names under which statements are prepared, over all connections to one database. */
export class Names {
  readonly #known = new Map<string, string>();

  /** The same for the same text, in every process; none once there are enough. */
  of(text: string): string | undefined {
    const known = this.#known.get(text);
    if (known || this.#known.size >= MOST_NAMES) return known;
    const name = createHash("sha1").update(text).digest("base64url");
    this.#known.set(text, name);
    return name;
  }
}

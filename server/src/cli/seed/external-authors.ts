import type { OriginPlatform } from "@tandem/contract/origins";
import { authorKey, foreignCreator } from "../../features/creators/creators.queries.ts";
import { fold } from "../../storage/fold.ts";
import type { Db } from "../../storage/storage.ts";

/** Authors on other platforms so far, with their creator ids. */
export class ExternalAuthors {
  readonly #known = new Map<string, number>();

  /** Makes the author known with its first post, and findable from then on. */
  async creatorOf(tx: Db, platform: OriginPlatform, author: string): Promise<number> {
    const key = `${platform} ${authorKey(author)}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const id = await foreignCreator(tx, platform, author);
    await tx.engine.creatorSearch.put(tx, id, fold(author));
    this.#known.set(key, id);
    return id;
  }

  creatorIds(): number[] {
    return [...this.#known.values()];
  }
}

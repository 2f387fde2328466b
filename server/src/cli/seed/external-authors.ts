import type { OriginPlatform } from "@tandem/contract/origins";
import { authorKey, foreignCreator } from "../../features/creators/creators.queries.ts";
import { fold } from "../../storage/fold.ts";
import type { Db } from "../../storage/storage.ts";

/** The ids of the creators on other platforms that have posts. */
export class ExternalAuthors {
  readonly #known = new Map<string, number>();

  /** Adds the creator with its first post. Search finds it from then on. */
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

import type { OriginPlatform } from "@tandem/contract/origins";
import { sql } from "kysely";
import { isOwnWord } from "../../origins/item-authority.ts";
import type { Db } from "../../storage/storage.ts";

/*
 * Who may tell what became of an item: the source that brought it, until one of the server that the item's key names shows
 * it, too. That one takes it over, and no other is believed from then on. The post stays where it was found.
 */

/** A source that shows an item. */
export interface ItemSource {
  id: number;
  platform: OriginPlatform;
  url: string | null;
}

/** An item that is known, and whose word counts. */
export interface KnownItem {
  key: string;
  source_id: number;
  source_url: string | null;
}

/** Whether a source's word about an item counts; of one that nobody knows anybody's does. */
export function mayUpdate({ id, platform, url }: ItemSource, told: KnownItem | undefined): boolean {
  return !told || told.source_id === id || isOwnWord(platform, told.key, url);
}

/** Has no other's word count from now on for those of these items that are a source's own, and were told by others. */
export async function takeOver(
  tx: Db,
  { id, platform, url }: ItemSource,
  items: readonly { key: string }[],
  known: ReadonlyMap<string, KnownItem>,
): Promise<void> {
  const others = items.flatMap(({ key }) => known.get(key) ?? []).filter(({ source_id }) => source_id !== id);
  const keys = others
    .filter((told) => isOwnWord(platform, told.key, url) && !isOwnWord(platform, told.key, told.source_url))
    .map(({ key }) => ({ key }));
  if (keys.length === 0) return;
  const listed = tx.engine.jsonRows(JSON.stringify(keys), { key: "text" });
  await sql`update gathered set source_id = ${id}, missed = 0
    where platform = ${platform} and key in (select key from (${listed}) as listed)`.execute(tx);
}

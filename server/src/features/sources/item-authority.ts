import type { OriginPlatform } from "@tandem/contract/origins";
import { sql } from "kysely";
import { isOwnWord } from "../../origins/item-authority.ts";
import type { Db } from "../../storage/storage.ts";

/*
 * Which source may update an item: the one that imported it, until the item's home server (named in its key) is also a
 * source and shows the item. That source then takes the item over, and updates by any other are ignored. The post stays
 * with the source that imported it.
 */

/** A source that shows an item. */
export interface ItemSource {
  id: number;
  platform: OriginPlatform;
  url: string | null;
}

/** An imported item and the source that may update it. */
export interface KnownItem {
  key: string;
  source_id: number;
  source_url: string | null;
}

/** Whether a source may update an item. Any source may import an unknown item. */
export function mayUpdate({ id, platform, url }: ItemSource, known: KnownItem | undefined): boolean {
  return !known || known.source_id === id || isOwnWord(platform, known.key, url);
}

/** Whether the source is the item's home server, and another source has been updating the item. */
export function takesOver(
  { id, platform, url }: ItemSource,
  { key, source_id, source_url }: KnownItem,
): boolean {
  return source_id !== id && isOwnWord(platform, key, url) && !isOwnWord(platform, key, source_url);
}

/** Takes over those of these items whose home server the source is, if another source has been updating them. */
export async function takeOver(
  tx: Db,
  source: ItemSource,
  items: readonly { key: string }[],
  known: ReadonlyMap<string, KnownItem>,
): Promise<void> {
  const { id, platform } = source;
  const keys = items
    .flatMap(({ key }) => known.get(key) ?? [])
    .filter((item) => takesOver(source, item))
    .map(({ key }) => ({ key }));
  if (keys.length === 0) return;
  const listed = tx.engine.jsonRows(JSON.stringify(keys), { key: "text" });
  await sql`update gathered set source_id = ${id}, missed = 0
    where platform = ${platform} and key in (select key from (${listed}) as listed)`.execute(tx);
}

import { DAY } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { sql } from "kysely";
import { connectors } from "../../origins/connectors.ts";
import type { Db } from "../../storage/storage.ts";
import type { SourceRecord } from "./sources.queries.ts";

/** Milliseconds for which a source must redirect permanently before its new address is adopted, in case it is a mistake. */
const CONFIRMATION_TIME = 3 * DAY;
/** The latest items whose keys move along. No feed shows more. */
const MOVED_KEYS = 1000;

type Moving = Pick<SourceRecord, "id" | "platform" | "url" | "moved_to" | "moved_since">;

/** What to change in a source that has moved, or has not. */
export interface Move {
  values: Partial<SourceRecord>;
  /** The adopted new address, or null. */
  to: string | null;
  /** Whether another source already has that address. */
  taken: boolean;
}

/** Checks whether a source has moved. `moves` are the permanent redirects of a visit. */
export async function checkMove(
  tx: Db,
  source: Moving,
  moves: ReadonlyMap<string, string>,
  now: number,
): Promise<Move> {
  const moved_to = source.url === null ? null : newAddress(source.platform, source.url, moves);
  if (moved_to === null) return { values: { moved_to, moved_since: null }, to: null, taken: false };
  const moved_since = moved_to === source.moved_to ? (source.moved_since ?? now) : now;
  if (now - moved_since < CONFIRMATION_TIME)
    return { values: { moved_to, moved_since }, to: null, taken: false };
  // Locked: two sources may move to the same address concurrently.
  await tx.engine.lock(tx, [`source at ${moved_to}`]);
  const taken = await isTaken(tx, source, moved_to);
  if (taken) return { values: { moved_to, moved_since }, to: moved_to, taken };
  await renameKeys(tx, source, moved_to);
  return { values: { url: moved_to, moved_to: null, moved_since: null }, to: moved_to, taken };
}

/** The source's new address according to its redirects; null if there is none that is equally good. */
function newAddress(
  platform: SourceRecord["platform"],
  url: string,
  moves: ReadonlyMap<string, string>,
): string | null {
  const old = new URL(url);
  for (const [requested, redirected] of moves) {
    const moved = applyRedirect(old, new URL(requested), new URL(redirected));
    if (moved === null || isDowngrade(old, moved)) continue;
    const address = connectors[platform].recognize(moved)?.url;
    if (address !== undefined && address !== url && address.length <= limits.url) return address;
  }
  return null;
}

/** The redirect may be of the source's own URL, or of another URL on its server if only the server's name changed. */
function applyRedirect(source: URL, requested: URL, redirected: URL): URL | null {
  if (requested.href === source.href) return redirected;
  const samePath = requested.pathname === redirected.pathname && requested.search === redirected.search;
  return requested.origin === source.origin && samePath ? new URL(source.pathname, redirected.origin) : null;
}

/** A move from https to http is never adopted. */
function isDowngrade(old: URL, moved: URL): boolean {
  return old.protocol === "https:" && moved.protocol === "http:";
}

async function isTaken(tx: Db, { platform }: Moving, url: string): Promise<boolean> {
  const existing = tx
    .selectFrom("sources")
    .select("id")
    .where("platform", "=", platform)
    .where("url", "=", url)
    .limit(1);
  return (await existing.executeTakeFirst()) !== undefined;
}

/** Renames item keys that begin with the source's address, so that its items aren't imported a second time. */
async function renameKeys(tx: Db, { id, platform, url }: Moving, moved: string): Promise<void> {
  const { keysBegin } = connectors[platform];
  if (!keysBegin || url === null) return;
  const [oldPrefix, newPrefix] = [keysBegin({ url }), keysBegin({ url: moved })];
  if (oldPrefix === newPrefix) return;
  const latest = sql`select key from gathered where source_id = ${id} order by posted_at desc limit ${MOVED_KEYS}`;
  const renamed = sql`concat(cast(${newPrefix} as text), substr(gathered.key, ${sql.lit(oldPrefix.length + 1)}))`;
  await sql`update gathered set key = ${renamed}
    where platform = ${platform} and key in (${latest})
      and substr(key, 1, ${sql.lit(oldPrefix.length)}) = ${oldPrefix}
      and not exists (select 1 from gathered g where g.platform = ${platform} and g.key = ${renamed})`.execute(
    tx,
  );
}

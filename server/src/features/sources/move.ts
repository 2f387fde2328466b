import { limits } from "@tandem/contract/limits";
import { sql } from "kysely";
import { connectors } from "../../origins/connectors.ts";
import type { Db } from "../../storage/storage.ts";
import type { SourceFigures } from "./sources.queries.ts";

/** A source that says it has moved is asked elsewhere once it has said so for so long, in milliseconds: a slip is over by then. */
const CERTAIN = 3 * 24 * 3_600_000;
/** So many of its latest items are known at the new place, too: no feed shows as many. */
const KNOWN = 1000;

type Moving = Pick<SourceFigures, "id" | "platform" | "url" | "moved_to" | "moved_since">;

/** What becomes of a source that has moved, or has not. */
export interface Move {
  values: Partial<SourceFigures>;
  /** Where it goes on from now on; null if nowhere else. */
  to: string | null;
  /** Whether there is a source already. */
  taken: boolean;
}

/** What a visit says of a source's address. `moves` is where its requests were sent on to for good. */
export async function judgeMove(
  tx: Db,
  source: Moving,
  moves: ReadonlyMap<string, string>,
  now: number,
): Promise<Move> {
  const moved_to = source.url === null ? null : newPlace(source.platform, source.url, moves);
  if (moved_to === null) return { values: { moved_to, moved_since: null }, to: null, taken: false };
  const moved_since = moved_to === source.moved_to ? (source.moved_since ?? now) : now;
  if (now - moved_since < CERTAIN) return { values: { moved_to, moved_since }, to: null, taken: false };
  // Two may move to one place at this very moment.
  await tx.engine.lock(tx, [`source at ${moved_to}`]);
  const taken = await isTaken(tx, source, moved_to);
  if (taken) return { values: { moved_to, moved_since }, to: moved_to, taken };
  await takeKeysAlong(tx, source, moved_to);
  return { values: { url: moved_to, moved_to: null, moved_since: null }, to: moved_to, taken };
}

/** The new address of a place by where one of its requests went; null where it has none that is as good. */
function newPlace(
  platform: SourceFigures["platform"],
  url: string,
  moves: ReadonlyMap<string, string>,
): string | null {
  const old = new URL(url);
  for (const [asked, answered] of moves) {
    const moved = movedBy(old, new URL(asked), new URL(answered));
    if (moved === null || isWeaker(old, moved)) continue;
    const place = connectors[platform].recognise(moved)?.url;
    if (place !== undefined && place !== url && place.length <= limits.url) return place;
  }
  return null;
}

/** Its own address may have been asked, or another of the same server's, which goes on under another name. */
function movedBy(place: URL, asked: URL, answered: URL): URL | null {
  if (asked.href === place.href) return answered;
  const samePath = asked.pathname === answered.pathname && asked.search === answered.search;
  return asked.origin === place.origin && samePath ? new URL(place.pathname, answered.origin) : null;
}

/** What could be relied on to come from that server isn't given up for what can't. */
function isWeaker(old: URL, moved: URL): boolean {
  return old.protocol === "https:" && moved.protocol === "http:";
}

async function isTaken(tx: Db, { platform }: Moving, url: string): Promise<boolean> {
  const there = tx
    .selectFrom("sources")
    .select("id")
    .where("platform", "=", platform)
    .where("url", "=", url)
    .limit(1);
  return (await there.executeTakeFirst()) !== undefined;
}

/** Items that are known by where they are from are known by the new place, lest all that it shows come a second time. */
async function takeKeysAlong(tx: Db, { id, platform, url }: Moving, moved: string): Promise<void> {
  const { keysBegin } = connectors[platform];
  if (!keysBegin || url === null) return;
  const [old, fresh] = [keysBegin({ url }), keysBegin({ url: moved })];
  if (old === fresh) return;
  const latest = sql`select key from gathered where source_id = ${id} order by posted_at desc limit ${KNOWN}`;
  const renamed = sql`concat(cast(${fresh} as text), substr(gathered.key, ${sql.lit(old.length + 1)}))`;
  await sql`update gathered set key = ${renamed}
    where platform = ${platform} and key in (${latest})
      and substr(key, 1, ${sql.lit(old.length)}) = ${old}
      and not exists (select 1 from gathered g where g.platform = ${platform} and g.key = ${renamed})`.execute(
    tx,
  );
}

import { type Bytes, concat, fromBase64Url, toBase64 } from "@tandem/contract/log/bytes";
import { leafHash, rootOf } from "@tandem/contract/log/merkle";
import { checkpointText, openNote } from "@tandem/contract/log/note";
import { hashesAt, TILE_WIDTH, TiledTree, tileOf } from "@tandem/contract/log/tiles";
import { type Selectable, sql } from "kysely";
import { sha256 } from "../../features/transparency-log/digests.ts";
import { checkpointOf, type Head, readHead } from "../../features/transparency-log/head.ts";
import {
  assertNotForked,
  readRemembered,
  UnreadableHead,
} from "../../features/transparency-log/remembered-head.ts";
import { readEntries, tileReader } from "../../features/transparency-log/stored-tiles.ts";
import type { CurrentReceiptRow } from "../../storage/schema/log.ts";
import type { Db, Storage } from "../../storage/storage.ts";
import { isIn, type Report, type Rule } from "./rule.ts";

/**
 * Computes the transparency log's hashes from its entries and compares them with those stored and signed. The log only
 * grows, so what was read of it stays true. With `repair`, stored hashes that don't follow from the entries are replaced,
 * if the entries are those that were signed.
 */
export async function checkLog(
  db: Db,
  dataDir: string,
  repair: Storage | null,
  report: Report,
): Promise<void> {
  const remembered = await readRemembered(dataDir).catch((error: Error) => {
    if (!(error instanceof UnreadableHead)) throw error;
    report(error.message, false);
    return null;
  });
  const head = await readHead(db);
  if (!head) {
    if (remembered || (await hasBegun(db)))
      report("the transparency log has no signed state: log_head has no row", false);
    return;
  }
  await checkSignature(db, head, report);
  const wrong: WrongTile[] = [];
  for (let level = 0; hashesAt(level, head.size) > 0; level++)
    for (let number = 0; number * TILE_WIDTH < hashesAt(level, head.size); number++) {
      const right = await hashesOf(db, head, level, number, wrong);
      if (!right) return report(`the transparency log lacks entries from ${number * TILE_WIDTH} on`, false);
      if ((await storedHashes(db, head, level, number)) !== toBase64(concat(...right)))
        wrong.push({ level, number, hashes: right });
    }
  const root = toBase64(await new TiledTree(head.size, readerOf(db, wrong), sha256).root());
  if (root !== head.root_hash)
    return report(
      `the transparency log's entries aren't those that were signed: their root hash is ${root} instead of ${head.root_hash}`,
      false,
    );
  if (repair) await replaceTiles(repair, wrong);
  for (const { level, number } of wrong)
    report(
      `the transparency log's tile ${number} of level ${level} doesn't follow from its entries`,
      repair !== null,
    );
  // Its proofs read the tiles.
  if (wrong.length === 0 || repair)
    await assertNotForked(db, remembered, head).catch((error: Error) => report(error.message, false));
}

async function hasBegun(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select 1 where exists (select 1 from log_entries) or exists (select 1 from log_keys)`.execute(db);
  return rows.length > 0;
}

/** The head must be what a key of the log signed. */
async function checkSignature(db: Db, head: Head, report: Report): Promise<void> {
  const keys = await db.selectFrom("log_keys").select(["public_key", "private_key"]).execute();
  if (!keys.some(({ private_key }) => private_key !== null))
    report("the transparency log has no signing key: log_keys lacks it", false);
  if (keys.length === 0) return;
  try {
    const name = head.origin;
    const known = keys.map(({ public_key }) => ({ name, publicKey: fromBase64Url(public_key) }));
    const { text } = await openNote(head.checkpoint, known);
    if (text !== checkpointText(checkpointOf(head))) throw new Error("it is of another state");
  } catch (error) {
    report(`the transparency log's checkpoint isn't valid: ${(error as Error).message}`, false);
  }
}

interface WrongTile {
  level: number;
  number: number;
  hashes: readonly Bytes[];
}

/** What a tile's hashes must be; null if entries are missing. */
async function hashesOf(
  db: Db,
  head: Head,
  level: number,
  number: number,
  wrong: readonly WrongTile[],
): Promise<readonly Bytes[] | null> {
  const { width } = tileOf(head.size, level, number);
  if (level === 0) {
    const entries = await readEntries(db, { number, width });
    if (entries.length !== width) return null;
    return Promise.all(entries.map((entry) => leafHash(entry, sha256)));
  }
  const read = readerOf(db, wrong);
  const below = Array.from({ length: width }, (_, i) => number * TILE_WIDTH + i);
  return Promise.all(
    below.map(async (child) =>
      rootOf([...(await read({ level: level - 1, number: child, width: TILE_WIDTH }))], sha256),
    ),
  );
}

/** Reads stored tiles, and what those that are wrong should be. */
function readerOf(db: Db, wrong: readonly WrongTile[]): ReturnType<typeof tileReader> {
  const stored = tileReader(db);
  return async (tile) => {
    const known = wrong.find(({ level, number }) => level === tile.level && number === tile.number);
    return known ? known.hashes.slice(0, tile.width) : stored(tile);
  };
}

/** A tile's stored hashes, as many as the tree had when its head was read. */
async function storedHashes(db: Db, head: Head, level: number, number: number): Promise<string | null> {
  const { width } = tileOf(head.size, level, number);
  const hashes = await tileReader(db)({ level, number, width }).catch(() => null);
  return hashes && toBase64(concat(...hashes));
}

/** Replaces hashes, from the lowest level on, by those of the entries that the log has by now. */
async function replaceTiles(storage: Storage, wrong: readonly WrongTile[]): Promise<void> {
  for (const { level, number } of wrong)
    await storage.write(async (tx) => {
      await tx
        .selectFrom("log_tiles")
        .select("hashes")
        .where("level", "=", level)
        .where("number", "=", number)
        // The log may be adding to this tile.
        .$if(tx.engine.rowLocks, (query) => query.forUpdate())
        .executeTakeFirst();
      const head = await readHead(tx);
      const hashes = head && (await hashesOf(tx, head, level, number, []));
      if (!hashes) return;
      const right = toBase64(concat(...hashes));
      await tx
        .insertInto("log_tiles")
        .values({ level, number, hashes: right })
        .onConflict((conflict) => conflict.columns(["level", "number"]).doUpdateSet({ hashes: right }))
        .execute();
    });
}

/** The job passed over no post that is its own pending entry. */
const passedOver: Rule = {
  what: "a new post's entry is in the transparency log, or will be added",
  table: "posts",
  key: "id",
  async find(db, keys) {
    const { rows } = await sql<{ id: number }>`
      select p.id from posts p
      where ${isIn(db, sql`p.id`, keys)} and p.first_entry is not null
        and p.id <= (select posts_done from log_head)
        and not exists (select 1 from post_receipts r where r.post_id = p.id and r.version = 1)`.execute(db);
    return rows.map(({ id }) => ({ key: id, detail: "the transparency log passed it over" }));
  },
};

/** A receipt points at an entry about its version. */
const pointing: readonly Rule[] = (["post", "comment"] as const).map((kind) => ({
  what: `a ${kind}'s receipt points at its entry in the transparency log`,
  table: `${kind}_receipts` as const,
  key: `${kind}_id`,
  async find(db, keys) {
    const subject = sql.ref(`r.${kind}_id`);
    const { rows } = await sql<{ id: number; version: number; position: number; entry: string | null }>`
      select ${subject} as id, r.version, r.position, e.entry from ${sql.table(`${kind}_receipts`)} as r
        left join log_entries e on e.position = r.position
      where ${isIn(db, subject, keys)}`.execute(db);
    return rows.flatMap(({ id, version, position, entry }) => {
      const about = parsed(entry);
      if (about?.kind === kind && about.id === id && about.version === version) return [];
      return [{ key: id, detail: `version ${version} points at entry ${position}` }];
    });
  },
}));

/** The same of what has no versions. After a deletion, the row points at that, and has no salt. */
const pointingCurrent: Rule = {
  what: "the receipt of a product, profile, live stream or community points at its entry, and ends with it",
  table: "current_receipts",
  key: "subject_id",
  async find(db, keys) {
    const { rows } = await sql<Selectable<CurrentReceiptRow> & { entry: string | null; exists: number }>`
      select r.*, e.entry, case
        when r.kind = 'product' and exists (select 1 from products p where p.id = r.subject_id) then 1
        when r.kind = 'profile' and exists (select 1 from users u where u.id = r.subject_id) then 1
        when r.kind = 'live' and exists (select 1 from lives l where l.user_id = r.subject_id) then 1
        when r.kind = 'community' and exists (select 1 from communities c where c.id = r.subject_id) then 1
        else 0 end as "exists"
      from current_receipts r left join log_entries e on e.position = r.position
      where ${isIn(db, sql`r.subject_id`, keys)}`.execute(db);
    return rows.flatMap(({ kind, subject_id: key, version, salt, position, entry, exists }) => {
      const about = parsed(entry);
      const isRight =
        salt === null
          ? about?.kind === "deletion" && about.of === kind && about.id === key
          : about?.kind === kind && about.id === key && about.version === version;
      if (salt !== null && exists === 0)
        return [{ key, detail: `the ${kind} is deleted, but its salt is kept` }];
      return isRight ? [] : [{ key, detail: `version ${version} of ${kind} points at entry ${position}` }];
    });
  },
};

export const receiptRules: readonly Rule[] = [...pointing, pointingCurrent, passedOver];

/** What an entry is about; null if there is none, or it can't be read. */
function parsed(
  entry: string | null,
): { kind?: unknown; of?: unknown; id?: unknown; version?: unknown } | null {
  try {
    return entry === null ? null : JSON.parse(entry);
  } catch {
    return null;
  }
}

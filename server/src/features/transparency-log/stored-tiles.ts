import { type Bytes, bytesOf, HASH_BYTES } from "@tandem/contract/log/bytes";
import { hashesIn, type ReadTile, TILE_WIDTH, type Tile, tileOf } from "@tandem/contract/log/tiles";
import { sql } from "kysely";
import { prepared } from "../../storage/prepared.ts";
import type { LogTileRow } from "../../storage/schema/log.ts";
import type { Db } from "../../storage/storage.ts";
import { bytesFrom, rootOfHashes } from "./digests.ts";

/** A tile's bytes. Wider tiles begin with narrower ones, so only the widest is stored. Null if there is none so wide. */
export async function readTileBytes(db: Db, { level, number, width }: Tile): Promise<Bytes | null> {
  const [row] = await tileAt(db, { level, number });
  // Several times as fast as `fromBase64`, which browsers share.
  const bytes = row ? bytesFrom(Buffer.from(row.hashes, "base64").subarray(0, width * HASH_BYTES)) : null;
  return bytes?.length === width * HASH_BYTES ? bytes : null;
}

const tileAt = prepared<{ level: number; number: number }, { hashes: string }>((db, { level, number }) =>
  db
    .selectFrom("log_tiles")
    .select("hashes")
    .where("level", "=", level)
    .where("number", "=", number)
    .compile(),
);

export function tileReader(db: Db): ReadTile {
  return async (tile) => {
    const bytes = await readTileBytes(db, tile);
    if (!bytes) throw new Error(`the log has no tile ${tile.number} of level ${tile.level}`);
    return hashesIn(bytes, tile.width);
  };
}

/** The entries of a bundle, in order. */
export async function readEntries(
  db: Db,
  { number, width }: Pick<Tile, "number" | "width">,
): Promise<Bytes[]> {
  const first = number * TILE_WIDTH;
  const rows = await entriesBetween(db, { first, end: first + width });
  return rows.map(({ entry }) => bytesOf(entry));
}

const entriesBetween = prepared<{ first: number; end: number }, { entry: string }>((db, { first, end }) =>
  sql<{ entry: string }>`select entry from log_entries
    where position >= ${first} and position < ${end} order by position`.compile(db),
);

/** The tiles that change when leaves are added to a tree. */
export class GrowingTiles {
  readonly #size: number;
  readonly #read: ReadTile;
  readonly #changed = new Map<string, { level: number; number: number; hashes: Bytes[] }>();

  /** `size` is that of the tree before. */
  constructor(size: number, read: ReadTile) {
    this.#size = size;
    this.#read = read;
  }

  /** Appends leaf hashes in order. `position` is the place of the first. */
  async append(position: number, leaves: readonly Bytes[]): Promise<void> {
    for (const [i, leaf] of leaves.entries()) await this.#add(0, position + i, leaf);
  }

  /** Adds a hash at a level; a full tile adds its own hash to the level above. */
  async #add(level: number, index: number, hash: Bytes): Promise<void> {
    const tile = await this.#tile(level, Math.floor(index / TILE_WIDTH));
    if (tile.hashes.length !== index % TILE_WIDTH) throw new Error("a hash was added at the wrong place");
    tile.hashes.push(hash);
    if (tile.hashes.length === TILE_WIDTH) await this.#add(level + 1, tile.number, rootOfHashes(tile.hashes));
  }

  async #tile(level: number, number: number) {
    const key = `${level}/${number}`;
    const known = this.#changed.get(key);
    if (known) return known;
    const before = tileOf(this.#size, level, number);
    const tile = { level, number, hashes: before.width > 0 ? [...(await this.#read(before))] : [] };
    this.#changed.set(key, tile);
    return tile;
  }

  /** Reads tiles of the grown tree. */
  readonly read: ReadTile = async (tile) => {
    const changed = this.#changed.get(`${tile.level}/${tile.number}`);
    return changed ? changed.hashes.slice(0, tile.width) : this.#read(tile);
  };

  rows(): LogTileRow[] {
    return [...this.#changed.values()].map(({ level, number, hashes }) => ({
      level,
      number,
      hashes: Buffer.concat(hashes).toString("base64"),
    }));
  }
}

export async function storeTiles(tx: Db, rows: readonly LogTileRow[]): Promise<void> {
  for (const row of rows)
    await tx
      .insertInto("log_tiles")
      .values(row)
      .onConflict((conflict) => conflict.columns(["level", "number"]).doUpdateSet({ hashes: row.hashes }))
      .execute();
}

/** Merkle trees stored as tiles (c2sp.org/tlog-tiles), and proofs made from them. */

import { type Bytes, HASH_BYTES, type Sha256, webSha256 } from "./bytes.ts";
import { emptyRoot, nodeHash, rootOf, splitOf } from "./merkle.ts";

/** Hashes in a full tile, and entries in a full bundle. */
export const TILE_WIDTH = 256;
/** The levels of a full tile: 2 ** 8 hashes. */
const TILE_HEIGHT = 8;

/** A tile of a tree, or of a tree's entries. */
export interface Tile {
  /** 0 for leaf hashes. A hash at a higher level is the root of a full tile one level below. */
  level: number;
  number: number;
  /** How many hashes it has: {@link TILE_WIDTH}, or fewer if it is the last of its level. */
  width: number;
}

/** Reads a tile's hashes. Throws if there aren't `width` of them. */
export type ReadTile = (tile: Tile) => Promise<readonly Bytes[]>;

/** How many hashes a tree has at a level of tiles. */
export function hashesAt(level: number, size: number): number {
  return Math.floor(size / TILE_WIDTH ** level);
}

/** The tile with this number, as wide as a tree of this size makes it. Its width is 0 if the tree has no such tile. */
export function tileOf(size: number, level: number, number: number): Tile {
  const width = hashesAt(level, size) - number * TILE_WIDTH;
  return { level, number, width: Math.max(0, Math.min(TILE_WIDTH, width)) };
}

/** The path below the log's address, such as `tile/0/x001/234.p/5`. */
export function tilePath({ level, number, width }: Tile): string {
  return `tile/${level}/${indexPath(number, width)}`;
}

/** The path of the entries that a tile of level 0 has the hashes of. */
export function entriesPath({ number, width }: Pick<Tile, "number" | "width">): string {
  return `tile/entries/${indexPath(number, width)}`;
}

function indexPath(number: number, width: number): string {
  const digits = String(number);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, "0").match(/.{3}/g) ?? [];
  const path = groups.map((group, i) => (i < groups.length - 1 ? `x${group}` : group)).join("/");
  return width === TILE_WIDTH ? path : `${path}.p/${width}`;
}

const LEVEL = "(?<level>entries|\\d|[1-5]\\d|6[0-3])";
const NUMBER = "(?<number>(?:x\\d{3}/){0,5}\\d{3})";
const WIDTH = "(?:\\.p/(?<width>[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-5]))?";
const PATH = new RegExp(`^tile/${LEVEL}/${NUMBER}${WIDTH}$`);

/** Parses a tile's path; null if it isn't in the one canonical form. Entries have the level `entries`. */
export function parseTilePath(path: string): (Omit<Tile, "level"> & { level: number | "entries" }) | null {
  const { level, number = "", width } = PATH.exec(path)?.groups ?? {};
  if (level === undefined || number.startsWith("x000/")) return null;
  const tile = {
    number: Number(number.replace(/[x/]/g, "")),
    width: width === undefined ? TILE_WIDTH : Number(width),
  };
  if (!Number.isSafeInteger(tile.number)) return null;
  return { level: level === "entries" ? level : Number(level), ...tile };
}

/** A tree of which hashes are read from tiles. */
export class TiledTree {
  readonly size: number;
  readonly #read: ReadTile;
  readonly #sha256: Sha256;
  readonly #tiles = new Map<string, Promise<readonly Bytes[]>>();

  constructor(size: number, read: ReadTile, sha256: Sha256 = webSha256) {
    this.size = size;
    this.#read = read;
    this.#sha256 = sha256;
  }

  /** The root of the tree of the first `size` leaves. */
  root(size: number = this.size): Promise<Bytes> {
    return size === 0 ? emptyRoot(this.#sha256) : this.#range(0, size);
  }

  /** The hash of a leaf. */
  leaf(index: number): Promise<Bytes> {
    return this.#range(index, index + 1);
  }

  /** RFC 6962, 2.1.1: the path that proves that a leaf is in the tree. */
  async inclusionProof(index: number): Promise<Bytes[]> {
    const path: Bytes[] = [];
    let [start, end] = [0, this.size];
    while (end - start > 1) {
      const middle = start + splitOf(end - start);
      if (index < middle) {
        path.unshift(await this.#range(middle, end));
        end = middle;
      } else {
        path.unshift(await this.#range(start, middle));
        start = middle;
      }
    }
    return path;
  }

  /** RFC 6962, 2.1.2: the proof that the tree of the first `size` leaves is the beginning of this tree. */
  async consistencyProof(size: number): Promise<Bytes[]> {
    const proof: Bytes[] = [];
    if (size === 0) return proof;
    let [start, end, isWhole] = [0, this.size, true];
    while (size < end) {
      const middle = start + splitOf(end - start);
      if (size <= middle) {
        proof.unshift(await this.#range(middle, end));
        end = middle;
      } else {
        proof.unshift(await this.#range(start, middle));
        start = middle;
        isWhole = false;
      }
    }
    return isWhole ? proof : [await this.#range(start, end), ...proof];
  }

  /** The hash of the leaves from `start` up to `end`, a node of the tree. */
  async #range(start: number, end: number): Promise<Bytes> {
    const leaves = end - start;
    const split = splitOf(leaves);
    if (leaves === 1 || split * 2 === leaves) return this.#completeSubtree(start, leaves);
    const left = await this.#completeSubtree(start, split);
    return nodeHash(left, await this.#range(start + split, end), this.#sha256);
  }

  /** The hash of a subtree whose number of leaves is a power of two: part of one tile. */
  async #completeSubtree(start: number, leaves: number): Promise<Bytes> {
    const level = Math.floor(Math.log2(leaves) / TILE_HEIGHT);
    const [first, count] = [start / TILE_WIDTH ** level, leaves / TILE_WIDTH ** level];
    const hashes = await this.#tile(level, Math.floor(first / TILE_WIDTH));
    const at = first % TILE_WIDTH;
    return rootOf(hashes.slice(at, at + count), this.#sha256);
  }

  #tile(level: number, number: number): Promise<readonly Bytes[]> {
    const tile = tileOf(this.size, level, number);
    const key = tilePath(tile);
    const known = this.#tiles.get(key) ?? this.#read(tile);
    this.#tiles.set(key, known);
    return known;
  }
}

/** Splits a tile's bytes into hashes. Throws if there aren't `width`. */
export function hashesIn(bytes: Bytes, width: number): Bytes[] {
  if (bytes.length !== width * HASH_BYTES) throw new Error(`a tile has ${bytes.length} bytes`);
  return Array.from({ length: width }, (_, i) => bytes.slice(i * HASH_BYTES, (i + 1) * HASH_BYTES));
}

/** A bundle of entries: each after its length in two bytes. */
export function entryBundle(entries: readonly Bytes[]): Bytes {
  const bundle = new Uint8Array(entries.reduce((length, entry) => length + 2 + entry.length, 0));
  const view = new DataView(bundle.buffer);
  let at = 0;
  for (const entry of entries) {
    view.setUint16(at, entry.length);
    bundle.set(entry, at + 2);
    at += 2 + entry.length;
  }
  return bundle;
}

/** Throws if the bundle is malformed. */
export function entriesIn(bundle: Bytes): Bytes[] {
  const entries: Bytes[] = [];
  const view = new DataView(bundle.buffer, bundle.byteOffset, bundle.length);
  for (let at = 0; at < bundle.length; ) {
    const length = view.getUint16(at);
    const entry = bundle.slice(at + 2, at + 2 + length);
    if (entry.length !== length) throw new Error("a bundle of entries is cut off");
    entries.push(entry);
    at += 2 + length;
  }
  return entries;
}

/** Merkle trees as defined in RFC 6962, section 2.1: hashes, and proofs, and how to check them. */

import { type Bytes, concat, HASH_BYTES, isEqual, type Sha256, webSha256 } from "./bytes.ts";

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

export async function leafHash(entry: Bytes, sha256: Sha256 = webSha256): Promise<Bytes> {
  return sha256(concat(LEAF, entry));
}

export async function nodeHash(left: Bytes, right: Bytes, sha256: Sha256 = webSha256): Promise<Bytes> {
  return sha256(concat(NODE, left, right));
}

/** The root of the tree without leaves. */
export async function emptyRoot(sha256: Sha256 = webSha256): Promise<Bytes> {
  return sha256(new Uint8Array());
}

/** The largest power of two below `size`: where the tree splits into left and right. */
export function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

/**
 * The root above these leaf or subtree hashes; at least one. Pair by pair, level by level: as each split leaves a power of two on the
 * left, that is the same tree.
 */
export async function rootOf(hashes: readonly Bytes[], sha256: Sha256 = webSha256): Promise<Bytes> {
  let level = hashes;
  while (level.length > 1) level = await Promise.all(parentsOf(level, sha256));
  const [root] = level;
  if (!root) throw new Error("no hashes");
  return root;
}

/** A last hash without a partner is its own parent. */
function parentsOf(hashes: readonly Bytes[], sha256: Sha256): (Bytes | Promise<Bytes>)[] {
  return hashes.flatMap((left, i) => {
    if (i % 2 === 1) return [];
    const right = hashes[i + 1];
    return [right ? nodeHash(left, right, sha256) : left];
  });
}

/** Whether the leaf with this hash is at `index` of the tree with `size` leaves and this root. */
export async function verifyInclusion(
  { index, size, leaf, root }: { index: number; size: number; leaf: Bytes; root: Bytes },
  path: readonly Bytes[],
): Promise<boolean> {
  if (!isSize(index) || !isSize(size) || index >= size || ![leaf, ...path].every(isHash)) return false;
  const computed = await rootFromPath(leaf, index, size, path);
  return computed !== null && isEqual(computed, root);
}

/** The root that a path leads to; null if the path has the wrong length. */
async function rootFromPath(
  leaf: Bytes,
  index: number,
  size: number,
  path: readonly Bytes[],
): Promise<Bytes | null> {
  const sibling = path.at(-1);
  if (size === 1) return sibling ? null : leaf;
  if (!sibling) return null;
  const split = splitOf(size);
  const rest = path.slice(0, -1);
  if (index < split) {
    const left = await rootFromPath(leaf, index, split, rest);
    return left && nodeHash(left, sibling);
  }
  const right = await rootFromPath(leaf, index - split, size - split, rest);
  return right && nodeHash(sibling, right);
}

export interface TreeHead {
  size: number;
  root: Bytes;
}

/** Whether the newer tree begins with all leaves of the older one, in the same order. */
export async function verifyConsistency(
  older: TreeHead,
  newer: TreeHead,
  proof: readonly Bytes[],
): Promise<boolean> {
  if (!isSize(older.size) || !isSize(newer.size) || older.size > newer.size) return false;
  if (!proof.every(isHash)) return false;
  if (older.size === newer.size) return proof.length === 0 && isEqual(older.root, newer.root);
  // Every tree continues the empty one.
  if (older.size === 0) return proof.length === 0;
  const roots = await rootsFromProof(older, older.size, newer.size, proof, true);
  return roots !== null && isEqual(roots[0], older.root) && isEqual(roots[1], newer.root);
}

/** The roots of both trees that a proof leads to; null if it has the wrong length. */
async function rootsFromProof(
  older: TreeHead,
  oldSize: number,
  newSize: number,
  proof: readonly Bytes[],
  isWhole: boolean,
): Promise<[Bytes, Bytes] | null> {
  const last = proof.at(-1);
  if (oldSize === newSize) {
    if (isWhole) return last ? null : [older.root, older.root];
    return last && proof.length === 1 ? [last, last] : null;
  }
  if (!last) return null;
  const split = splitOf(newSize);
  const rest = proof.slice(0, -1);
  if (oldSize <= split) {
    const left = await rootsFromProof(older, oldSize, split, rest, isWhole);
    return left && [left[0], await nodeHash(left[1], last)];
  }
  const right = await rootsFromProof(older, oldSize - split, newSize - split, rest, false);
  return right && [await nodeHash(last, right[0]), await nodeHash(last, right[1])];
}

function isSize(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function isHash(hash: Bytes): boolean {
  return hash.length === HASH_BYTES;
}

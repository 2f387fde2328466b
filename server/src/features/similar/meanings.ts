/** What texts mean, as numbers: vectors of a fixed length, of which similar ones belong to texts of similar meaning. */

/** The length of a vector. */
export const DIMENSIONS = 512;

/** A vector of length 1, in steps of 1/127. */
export type Meaning = Int8Array;

const STEP = 127;

/** Rounds a vector of length 1. */
export function asMeaning(vector: readonly number[]): Meaning {
  return Int8Array.from(vector, (value) => Math.round(value * STEP));
}

export const toText = (meaning: Meaning): string => Buffer.from(meaning).toString("base64");

export const fromText = (text: string): Meaning => new Int8Array(Buffer.from(text, "base64"));

/** A post that is close to a meaning. */
export interface Neighbor {
  id: number;
  /** The cosine of the angle between the two: 1 for the same text, about 0 for unrelated ones. */
  similarity: number;
}

/**
 * The meanings of the newest posts, in memory: 50,000 take 26 MB. Comparing one with all of them takes some 25 ms, so this belongs
 * in a process of its own.
 */
export class MeaningIndex {
  readonly #most: number;
  readonly #ids: number[] = [];
  readonly #slots = new Map<number, number>();
  #values = new Int8Array(0);

  /** @param most posts; beyond that, the lowest ids are dropped */
  constructor(most: number) {
    this.#most = most;
  }

  /** Adds or replaces the meaning of a post. */
  put(id: number, meaning: Meaning): void {
    const slot = this.#slots.get(id) ?? this.#slotFor(id);
    if (slot === null) return;
    this.#ids[slot] = id;
    this.#slots.set(id, slot);
    this.#values.set(meaning, slot * DIMENSIONS);
  }

  of(id: number): Meaning | null {
    const slot = this.#slots.get(id);
    return slot === undefined ? null : this.#values.slice(slot * DIMENSIONS, (slot + 1) * DIMENSIONS);
  }

  /** The posts closest to a meaning, closest first. */
  nearest(meaning: Meaning, count: number): Neighbor[] {
    const scores = Int32Array.from(this.#ids, (_, slot) => this.#product(meaning, slot * DIMENSIONS));
    const least = scores.toSorted().at(-count) ?? Number.NEGATIVE_INFINITY;
    return this.#ids
      .map((id, slot) => ({ id, score: scores[slot] ?? 0 }))
      .filter(({ score }) => score >= least)
      .sort((a, b) => b.score - a.score || b.id - a.id)
      .slice(0, count)
      .map(({ id, score }) => ({ id, similarity: score / STEP ** 2 }));
  }

  #product(meaning: Meaning, at: number): number {
    const values = this.#values;
    let sum = 0;
    for (let i = 0; i < DIMENSIONS; i++) sum += (meaning[i] as number) * (values[at + i] as number);
    return sum;
  }

  /** A free slot, or that of the lowest id; null if this one would be the lowest. */
  #slotFor(id: number): number | null {
    const { length } = this.#ids;
    if (length < this.#most) {
      if (length * DIMENSIONS === this.#values.length) this.#grow();
      return length;
    }
    const lowest = this.#ids.reduce((least, one) => Math.min(least, one));
    if (id < lowest) return null;
    const slot = this.#slots.get(lowest) ?? 0;
    this.#slots.delete(lowest);
    return slot;
  }

  #grow(): void {
    const { length } = this.#values;
    const values = new Int8Array(Math.min(Math.max(length * 2, 1024 * DIMENSIONS), this.#most * DIMENSIONS));
    values.set(this.#values);
    this.#values = values;
  }
}

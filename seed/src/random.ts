import { createHash } from "node:crypto";

/** A deterministic random generator (sfc32): the same name gives the same sequence on every machine. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(...name: (string | number)[]) {
    const hash = createHash("sha256").update(name.join("\n")).digest();
    this.#a = hash.readInt32LE(0);
    this.#b = hash.readInt32LE(4);
    this.#c = hash.readInt32LE(8);
  }

  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** An integer from `min` to `max`, both inclusive. */
  between(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)] as T;
  }

  /** An element of the list, the first ones most often. */
  pickSkewed<T>(list: readonly T[], skew = 2): T {
    return list[Math.floor(this.next() ** skew * list.length)] as T;
  }

  /** A key of the record, with a probability proportional to its value. */
  weighted<K extends string>(weights: Record<K, number>): K {
    const keys = Object.keys(weights) as K[];
    let left = this.next() * keys.reduce((sum, key) => sum + weights[key], 0);
    for (const key of keys) {
      left -= weights[key];
      if (left < 0) return key;
    }
    return keys[0] as K;
  }

  /** A count with a long tail, such as likes: mostly few or none, rarely very many (a Lomax distribution). */
  longTail(mean: number, max: number): number {
    const shape = 1.6;
    const value = mean * (shape - 1) * ((1 - this.next()) ** (-1 / shape) - 1);
    return Math.min(Math.round(value), max);
  }

  /** A delay with this mean (an exponential distribution). */
  delay(mean: number): number {
    return -mean * Math.log(1 - this.next());
  }
}

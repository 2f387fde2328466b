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

  /** From 0 up to, but never, 1. */
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

  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)] as T;
  }

  /** One of a list whose first members are by far the busiest. */
  favourite<T>(list: readonly T[], bias = 2): T {
    return list[Math.floor(this.next() ** bias * list.length)] as T;
  }

  /** One of the words, each as likely as its number says in proportion to the others. */
  weighted<W extends string>(weights: Record<W, number>): W {
    const words = Object.keys(weights) as W[];
    let left = this.next() * words.reduce((sum, word) => sum + weights[word], 0);
    for (const word of words) {
      left -= weights[word];
      if (left < 0) return word;
    }
    return words[0] as W;
  }

  /** Counts as attention spreads them: mostly few or none, now and then very many (a Lomax distribution). */
  longTail(mean: number, max: number): number {
    const shape = 1.6;
    const value = mean * (shape - 1) * ((1 - this.next()) ** (-1 / shape) - 1);
    return Math.min(Math.round(value), max);
  }

  /** A waiting time of that mean. */
  wait(mean: number): number {
    return -mean * Math.log(1 - this.next());
  }
}

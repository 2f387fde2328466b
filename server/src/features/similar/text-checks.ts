/** What the model, which only knows English, can and can't say about texts. */

/** Letters that English doesn't have, as a share of a text's pieces. A name or two are no other language. */
const MOST_UNKNOWN = 0.1;
/** Letters per piece of the model's vocabulary. English has 2.5 to 4; other languages fall into more and shorter pieces. */
const LEAST_PIECE = 2.2;
/** Too few words tell no language. */
const LEAST_WORDS = 4;
/** The number that stands for an unknown letter; all below are reserved. */
const UNKNOWN = 6;

/** Characters of a text that are read. The time grows with them, and the start says what a text is about. */
const MOST_CHARACTERS = 1000;

/** What is read of a text. Normalized as the model does it, which can make a text many times as long. */
export const beginning = (text: string): string => text.normalize("NFKC").slice(0, MOST_CHARACTERS).trim();

const wordsOf = (text: string): string[] =>
  text
    .replace(/https?:\/\/\S+/gi, " ")
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/**
 * Whether the model can read a text. Of any other it knows nothing, and would find all such texts alike.
 * @param piecesOf splits a text into pieces of the model's vocabulary
 */
export function isReadable(text: string, piecesOf: (text: string) => readonly number[]): boolean {
  const words = wordsOf(text);
  if (words.length === 0) return false;
  const pieces = piecesOf(words.join(" "));
  const unknown = pieces.filter((piece) => piece <= UNKNOWN).length;
  if (unknown > pieces.length * MOST_UNKNOWN) return false;
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  return words.length < LEAST_WORDS || letters >= pieces.length * LEAST_PIECE;
}

/** The share of words that two texts have in common, as far as they are read: 1 if they consist of the same words. */
export function sharedWords(one: string, other: string): number {
  const [words, others] = [wordsOf(beginning(one)), wordsOf(beginning(other))];
  const left = new Map<string, number>();
  for (const word of others) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of words) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    shared += 1;
  }
  return (2 * shared) / Math.max(1, words.length + others.length);
}

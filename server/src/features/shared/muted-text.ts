import { textParts } from "@tandem/contract/text-parts";
import { foldAccents } from "../../storage/fold.ts";

/** Scripts that put no space between words. */
const unspaced =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
const TOKEN = new RegExp(`[${unspaced}]|(?:(?![${unspaced}])[\\p{L}\\p{M}\\p{N}_])+|\\S`, "gu");

/**
 * A text's words, separated and surrounded by single spaces: " IT ' S A CAFE . ". So a phrase occurs in a text as whole words if its words
 * occur in those of the text. In scripts that put no space between words, each character counts as one.
 */
export function wordsOf(text: string): string {
  return separate(foldAccents(text));
}

const separate = (folded: string) => ` ${(folded.match(TOKEN) ?? []).join(" ")} `;

/** A text in which muted words and tags are looked for. Folding it takes longer than looking, so it is folded once. */
export class MutableText {
  readonly text: string;
  #folded: string | undefined;
  #tags: readonly string[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get folded(): string {
    this.#folded ??= foldAccents(this.text);
    return this.#folded;
  }

  /** As they are compared. */
  get tags(): readonly string[] {
    this.#tags ??= tagsOf(this.text);
    return this.#tags;
  }
}

/** Whether a text contains any of these phrases. Looks for their longest words first, because that is quick and most texts have none. */
export function hasPhrase({ folded }: MutableText, phrases: readonly Phrase[]): boolean {
  const candidates = phrases.filter(({ longest }) => folded.includes(longest));
  if (candidates.length === 0) return false;
  const words = separate(folded);
  return candidates.some((phrase) => words.includes(phrase.words));
}

/** A word or several, to look for. */
export interface Phrase {
  /** As {@link wordsOf} returns them. */
  readonly words: string;
  readonly longest: string;
}

export function phraseOf(words: string): Phrase {
  const [longest = ""] = words.split(" ").toSorted((a, b) => b.length - a.length);
  return { words, longest };
}

/** Whether a text can be muted: punctuation alone would hide nearly everything. */
export const hasWords = (words: string): boolean =>
  /[\p{L}\p{N}\p{Extended_Pictographic}\p{RI}]/u.test(words);

const TAG = /^#?((?=[\p{N}_]*\p{L})[\p{L}\p{N}\p{M}_]+)$/u;

/** A tag without its `#`; null if it isn't one. */
export const tagIn = (text: string): string | null => TAG.exec(text.trim())?.[1] ?? null;

/** A tag as it is compared. */
export const tagKey = (tag: string): string => foldAccents(tag);

/** The tags in a text, as they are compared. */
export function tagsOf(text: string): string[] {
  if (!text.includes("#")) return [];
  return textParts(text).flatMap((part) => (part.kind === "tag" ? [tagKey(part.text.slice(1))] : []));
}

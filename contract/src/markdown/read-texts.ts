import { parseInlines } from "./inlines.ts";
import { parseMarkdown } from "./parse.ts";
import type { Inline } from "./tree.ts";
import { inlinesIn, within } from "./walk.ts";
import { wordsOf, wordsOfInlines } from "./words.ts";

/** A character that can change how a text reads, as markup. */
const MARKUP = /[\\*_~`[\]<|]/;

/**
 * What people and browsers read in a text that may be Markdown, as a post or as a bio: the text itself, its words without markup, and
 * what its links lead to. So markup can't hide what isn't allowed in a text.
 */
export function readTexts(text: string): string[] {
  if (!MARKUP.test(text)) return [text];
  const [blocks, line] = [parseMarkdown(text), parseInlines(text)];
  const inlines = [...inlinesIn(blocks), ...within(line)];
  return [...new Set([text, wordsOf(blocks), wordsOfInlines(line), ...inlines.flatMap(hiddenIn)])];
}

const hiddenIn = (inline: Inline): string[] =>
  typeof inline !== "string" && inline.kind === "labelled" ? [inline.href, inline.title] : [];

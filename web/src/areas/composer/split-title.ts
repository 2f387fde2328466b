import { limits } from "@tandem/contract/limits";
import { parseMarkdown } from "@tandem/contract/markdown/parse";
import { plainText } from "@tandem/contract/markdown/plain";
import type { Inline } from "@tandem/contract/markdown/tree";
import { inlinesIn } from "@tandem/contract/markdown/walk";
import { wordsOf } from "@tandem/contract/markdown/words";

/** Up to this length, the first line is a good title. */
const TITLE_LINE = 120;

/** Shorter sentences, such as "Dr.", are joined with the next. */
const SHORTEST_SENTENCE = 20;

interface Split {
  title: string;
  body: string;
}

/**
 * The title and body of a text that has no title of its own, because every post has one. A heading or a short first line is
 * the title, otherwise the first sentence; the rest is the body. So each word is there once. If the first sentence is too long, has a link or is part of
 * something larger, such as a list, the title is an excerpt, and the body is the whole text. Titles have no markup.
 */
export function splitTitle(text: string): Split {
  const whole = text.trim();
  const [first] = parseMarkdown(whole);
  if (first?.kind !== "paragraph" && first?.kind !== "heading") return excerptOf(whole);
  const line = whole.split("\n", 1)[0] ?? "";
  const words = plainText(line);
  // A title has no links but bare addresses.
  if ([...inlinesIn(parseMarkdown(line))].some(isLabelled)) return excerptOf(whole);
  if (first.kind === "heading" || isAtMost(TITLE_LINE, words)) return splitAt(whole, words, line.length);
  const sentence = firstSentence(words);
  if (!isAtMost(limits.postTitle, sentence.trim())) return excerptOf(whole);
  return words === line ? splitAt(whole, sentence, sentence.length) : { title: sentence.trim(), body: whole };
}

const isLabelled = (inline: Inline) => typeof inline !== "string" && inline.kind === "labelled";

function splitAt(whole: string, title: string, end: number): Split {
  const split = { title: title.trim(), body: whole.slice(end).trim() };
  return split.title !== "" && isAtMost(limits.postTitle, split.title) ? split : excerptOf(whole);
}

function firstSentence(line: string): string {
  let end = 0;
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(line)) {
    end += segment.length;
    if (end >= SHORTEST_SENTENCE) break;
  }
  return line.slice(0, end);
}

function excerptOf(whole: string): Split {
  const words = wordsOf(parseMarkdown(whole)).trim() || whole;
  const line = words.split("\n", 1)[0] ?? "";
  if (isAtMost(TITLE_LINE, line)) return { title: line, body: whole };
  const excerpt = [...line].slice(0, TITLE_LINE).join("");
  return { title: `${excerpt.replace(/\s+\S*$/, "")}…`, body: whole };
}

const isAtMost = (max: number, text: string) => [...text].length <= max;

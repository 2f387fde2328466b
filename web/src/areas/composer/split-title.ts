import { limits } from "@tandem/contract/limits";

/** Up to this length, the first line is a good title. */
const TITLE_LINE = 120;

/** Shorter sentences, such as "Dr.", are joined with the next. */
const SHORTEST_SENTENCE = 20;

/**
 * The title and body of a text that has no title of its own, because every post has one. A short first line is
 * the title, otherwise the first sentence; the rest is the body. So each word is there once. If even the first
 * sentence is too long, the title is an excerpt, and the body is the whole text.
 */
export function splitTitle(text: string): { title: string; body: string } {
  const whole = text.trim();
  const line = whole.split("\n", 1)[0] ?? "";
  if (isAtMost(TITLE_LINE, line)) return splitAt(whole, line.length);
  let end = 0;
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(line)) {
    end += segment.length;
    if (end >= SHORTEST_SENTENCE) break;
  }
  if (isAtMost(limits.postTitle, line.slice(0, end).trim())) return splitAt(whole, end);
  const excerpt = [...line].slice(0, TITLE_LINE).join("");
  return { title: `${excerpt.replace(/\s+\S*$/, "")}…`, body: whole };
}

const splitAt = (text: string, end: number) => ({
  title: text.slice(0, end).trim(),
  body: text.slice(end).trim(),
});

const isAtMost = (max: number, text: string) => [...text].length <= max;

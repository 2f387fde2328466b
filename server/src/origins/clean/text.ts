import { withoutHidden } from "@tandem/contract/hidden-text";
import { limits } from "@tandem/contract/limits";
import { compile, type DomNode, type HtmlToTextOptions } from "html-to-text";
import { webAddress } from "./address.ts";
import { uncover } from "./unseen.ts";

/** The contract's maximum for author names. */
const NAME = 200;

/** The most characters of HTML that are read, far more than a post's text. */
const MAX_HTML = 30_000;

/** A post's title from plain text: one line; null if it is empty. */
export function titleOf(plain: unknown): string | null {
  return lineOf(plain, limits.postTitle);
}

/** The name of an author, a community or a source. */
export function nameOf(plain: unknown): string | null {
  return lineOf(plain, NAME);
}

export function lineOf(plain: unknown, limit: number): string | null {
  return shortened(cleaned(plain).replace(/\s+/gu, " "), limit);
}

/** A post's body from plain text. Keeps line breaks, but at most one empty line in a row. */
export function bodyOf(plain: unknown): string | null {
  return textOf(plain, limits.postBody);
}

export function textOf(plain: unknown, limit: number): string | null {
  const lines = cleaned(plain)
    .split(/\r\n?|[\n\u2028\u2029]/)
    .map((line) => line.trimEnd());
  return shortened(lines.join("\n").replace(/\n{3,}/g, "\n\n"), limit);
}

function cleaned(plain: unknown): string {
  if (typeof plain !== "string" && typeof plain !== "number") return "";
  // Cut before processing; no text is this long in the end.
  return withoutHidden(String(plain).slice(0, MAX_HTML).toWellFormed());
}

function shortened(text: string, limit: number): string | null {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  if (trimmed.length <= limit) return trimmed;
  const points = [...trimmed];
  if (points.length <= limit) return trimmed;
  // The cut may leave a joiner at the end; `withoutHidden` removes it.
  return `${withoutHidden(points.slice(0, limit - 1).join("")).trimEnd()}…`;
}

/** Converts HTML to plain text; link targets follow in parentheses. */
export function plainOf(html: unknown, base?: string): string {
  if (typeof html !== "string") return "";
  return toText(html.slice(0, MAX_HTML), { base });
}

/** Like {@link plainOf}, for text that may or may not be HTML, such as RSS titles. */
export function plainOfEither(text: unknown, base?: string): string {
  if (typeof text !== "string") return "";
  return /<\/?[a-z][^<>]*>|&(#\d+|#x[\da-f]+|[a-z]+\d*);/i.test(text) ? plainOf(text, base) : text;
}

/** The longest of several versions of a text, without a mark that it goes on; the first of those with the same length. */
export function longest(texts: string[]): string {
  const lengthOf = (text: string) => text.replace(/\s*\[?(?:…|\.\.\.)\]?\s*$/, "").trim().length;
  return texts.reduce((best, text) => (lengthOf(text) > lengthOf(best) ? text : best), "");
}

/** Elements that browsers don't show as text, so that hidden text isn't imported. */
const unseen = [
  ...["img", "script", "style", "head", "title", "noscript", "template", "iframe", "object", "svg", "math"],
  ...["button", "select", "textarea", "input", "audio", "video", "canvas", "dialog"],
];
/** Selected before any of the others, which name only elements: attributes are more specific. */
const styled = ["[style]", "[hidden]"];
const headings = ["h1", "h2", "h3", "h4", "h5", "h6"];

/** Whether it is ActivityPub's markup for links whose text already says where they lead. */
function isTelling({ attribs }: DomNode): boolean {
  const words = (value: string | undefined) => value?.split(/\s+/) ?? [];
  return (
    words(attribs?.class).some((name) => /^(?:mention|hashtag)$/.test(name)) ||
    words(attribs?.rel).includes("tag")
  );
}

const options: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxDepth: 100, maxChildNodes: 5000, ellipsis: "…" },
  selectors: [
    {
      selector: "a",
      options: {
        hideLinkHrefIfSameAsText: true,
        linkBrackets: ["(", ")"],
        pathRewrite: (path: string, { base }: { base?: string }, link?: DomNode) =>
          (link && isTelling(link) ? null : webAddress(path, base)) ?? "",
      },
    },
    ...headings.map((selector) => ({ selector, options: { uppercase: false } })),
    ...["dt", "dd"].map((selector) => ({
      selector,
      format: "block",
      options: { leadingLineBreaks: 1, trailingLineBreaks: 1 },
    })),
    { selector: "tr", format: "block", options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    ...["td", "th"].map((selector) => ({ selector, format: "inlineSurround", options: { suffix: " " } })),
    ...unseen.map((selector) => ({ selector, format: "skip" })),
    ...styled.map((selector) => ({ selector, format: "uncovered" })),
  ],
  formatters: {
    uncovered: (element, walk, builder) => {
      if (uncover(element)) walk([element], builder);
    },
  },
};

/** Compiled on first use. The second argument is passed on to `pathRewrite`. */
let compiled: ((html: string, given: { base?: string }) => string) | undefined;

function toText(html: string, given: { base?: string }): string {
  compiled ??= compile(options);
  return compiled(html, given);
}

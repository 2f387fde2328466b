import { withoutHidden } from "@tandem/contract/hidden-text";
import { limits } from "@tandem/contract/limits";
import { compile, type HtmlToTextOptions } from "html-to-text";
import { webAddress } from "./address.ts";

/** As long as the contract lets an author's name be. */
const NAME = 200;

/** So much of a text's HTML is read: beyond it, what is kept of the text was long full. */
const MOST_HTML = 30_000;

/** The title of a post, of plain text: on one line; null if nothing is left of it. */
export function titleOf(plain: unknown): string | null {
  return lineOf(plain, limits.postTitle);
}

/** The name of an author, a community or a source. */
export function nameOf(plain: unknown): string | null {
  return lineOf(plain, NAME);
}

export function lineOf(plain: unknown, most: number): string | null {
  return shortened(cleaned(plain).replace(/\s+/gu, " "), most);
}

/** The body of a post, of plain text; its lines stay, but no more than one is empty at a time. */
export function bodyOf(plain: unknown): string | null {
  return textOf(plain, limits.postBody);
}

export function textOf(plain: unknown, most: number): string | null {
  const lines = cleaned(plain)
    .split(/\r\n?|[\n\u2028\u2029]/)
    .map((line) => line.trimEnd());
  return shortened(lines.join("\n").replace(/\n{3,}/g, "\n\n"), most);
}

function cleaned(plain: unknown): string {
  if (typeof plain !== "string" && typeof plain !== "number") return "";
  // No text is kept as long as this; what follows need not be looked at.
  return withoutHidden(String(plain).slice(0, MOST_HTML).toWellFormed());
}

function shortened(text: string, most: number): string | null {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  if (trimmed.length <= most) return trimmed;
  const points = [...trimmed];
  if (points.length <= most) return trimmed;
  // A sign that was cut in two may leave a joiner at the end.
  return `${withoutHidden(points.slice(0, most - 1).join("")).trimEnd()}…`;
}

/** The plain text that HTML shows, its addresses in brackets behind what links to them. */
export function plainOf(html: unknown, base?: string): string {
  if (typeof html !== "string") return "";
  return toText(html.slice(0, MOST_HTML), { base });
}

/** As {@link plainOf}, where nobody says whether it is HTML or plain text, as in the titles of RSS. */
export function plainOfEither(text: unknown, base?: string): string {
  if (typeof text !== "string") return "";
  return /<\/?[a-z][^<>]*>|&(#\d+|#x[\da-f]+|[a-z]+\d*);/i.test(text) ? plainOf(text, base) : text;
}

/** What isn't shown in a browser isn't here, where only programs would read it. */
const unseen = [
  ...["img", "script", "style", "head", "title", "noscript", "template", "iframe", "object", "svg", "math"],
  ...["button", "select", "textarea", "input", "audio", "video", "canvas", "dialog", "[hidden]"],
  ...['[style*="display:none" i]', '[style*="display: none" i]', '[style*="visibility:hidden" i]'],
  ...['[style*="visibility: hidden" i]', '[style*="font-size:0" i]', '[style*="font-size: 0" i]'],
  ...['[style*="opacity:0" i]', '[style*="opacity: 0" i]'],
];
const headings = ["h1", "h2", "h3", "h4", "h5", "h6"];
/** Servers that speak ActivityPub mark so what tells its address already. */
const telling = ["a.mention", "a.hashtag", 'a[rel~="tag"]'];

const options: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxDepth: 100, maxChildNodes: 5000, ellipsis: "…" },
  selectors: [
    {
      selector: "a",
      options: {
        hideLinkHrefIfSameAsText: true,
        linkBrackets: ["(", ")"],
        pathRewrite: (path: string, { base }: { base?: string }) => webAddress(path, base) ?? "",
      },
    },
    ...telling.map((selector) => ({ selector, format: "inline" })),
    ...headings.map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: "tr", format: "block", options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    ...["td", "th"].map((selector) => ({ selector, format: "inlineSurround", options: { suffix: " " } })),
    ...unseen.map((selector) => ({ selector, format: "skip" })),
  ],
};

/** Compiled with the first text. What is given second comes to the rewriting of addresses. */
let compiled: ((html: string, given: { base?: string }) => string) | undefined;

function toText(html: string, given: { base?: string }): string {
  compiled ??= compile(options);
  return compiled(html, given);
}

import { Parser } from "htmlparser2";
import { decode } from "./clean/charset.ts";

/** What a page says of itself in its head; nothing of it is judged yet. */
export interface Page {
  title: string;
  /** By name or property, in lower case; of several the first. */
  meta: Map<string, string>;
  links: { rel: string[]; href: string; type: string }[];
  /** What stands in its scripts of linked data, as text. */
  linkedData: string[];
  /** What its addresses are relative to. */
  base: string;
}

/** Bytes of a page that are read: heads are seldom longer, though some hold scripts of 700 kB before they say a word. */
export const MOST_OF_PAGE = 2 ** 20;
/** Tags that are read. No head has as many, and it is they that take time, not what stands between. */
const MOST_TAGS = 10_000;
const MOST_TEXT = 50_000;
const MOST_LINKS = 200;
/** No head is nested so deep. A parser that looks for what each element closes takes the longer the deeper it is. */
const DEEPEST = 256;
const PIECE = 4096;

/** Reads a page's head as browsers would, wherever its parts stand; whatever the page is, something comes out. */
export function readPage(answer: { bytes: Buffer; headers: Headers; url: string }): Page {
  const page: Page = { title: "", meta: new Map(), links: [], linkedData: [], base: answer.url };
  let inside: "title" | "data" | null = null;
  let text = "";
  let depth = 0;
  let tags = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === "meta") noteMeta(page, attributes);
      if (name === "link") noteLink(page, attributes);
      if (name === "base") noteBase(page, attributes.href);
      inside = collecting(name, attributes, page);
      text = "";
      depth++;
      tags++;
    },
    ontext(piece) {
      if (inside && text.length < MOST_TEXT) text += piece;
    },
    onclosetag() {
      if (inside === "title") page.title = text;
      if (inside === "data") page.linkedData.push(text);
      inside = null;
      depth--;
    },
  });
  const html = decode(answer.bytes.subarray(0, MOST_OF_PAGE), answer.headers.get("content-type"));
  for (let i = 0; i < html.length && depth < DEEPEST && tags < MOST_TAGS; i += PIECE)
    parser.write(html.slice(i, i + PIECE));
  parser.end();
  return page;
}

type Attributes = Record<string, string>;

/** Pictures drawn in a page have titles, too, so only the first counts. */
function collecting(name: string, { type }: Attributes, page: Page): "title" | "data" | null {
  if (name === "title" && page.title === "") return "title";
  const isData = name === "script" && type?.trim().toLowerCase() === "application/ld+json";
  return isData && page.linkedData.length < 10 ? "data" : null;
}

function noteMeta({ meta }: Page, { name, property, itemprop, content }: Attributes): void {
  const key = (property || name || itemprop)?.trim().toLowerCase();
  if (key && content?.trim() && !meta.has(key) && meta.size < MOST_LINKS)
    meta.set(key, content.slice(0, MOST_TEXT));
}

function noteLink({ links }: Page, { rel, href, type }: Attributes): void {
  if (!rel || !href || links.length >= MOST_LINKS) return;
  links.push({ rel: rel.toLowerCase().split(/\s+/), href, type: (type ?? "").trim().toLowerCase() });
}

function noteBase(page: Page, href: string | undefined): void {
  if (href && URL.canParse(href, page.base)) page.base = new URL(href, page.base).href;
}

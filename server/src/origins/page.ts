import { Parser } from "htmlparser2";
import { decode } from "./clean/charset.ts";

/** A page's metadata, not sanitized yet. */
export interface Page {
  title: string;
  /** The first value of each name or property, in lower case. */
  meta: Map<string, string>;
  links: { rel: string[]; href: string; type: string }[];
  /** The addresses that the page calls its author's own, with `rel="me"`, anywhere in it. */
  me: string[];
  /** The text of its JSON-LD scripts. */
  linkedData: string[];
  /** The base URL for relative URLs. */
  base: string;
}

/** The most bytes of a page that are read. Heads are rarely longer, but some have 700 kB of scripts before the metadata. */
export const MAX_PAGE_BYTES = 2 ** 20;
/** The most tags that are read: more than any head has. Parsing time depends on tags, not on the text between them. */
const MAX_TAGS = 10_000;
const MAX_TEXT = 50_000;
const MAX_LINKS = 200;
const MAX_URL = 2048;
/** The deepest nesting that is read. The parser's time per tag grows with the depth. */
const MAX_DEPTH = 256;
const PIECE = 4096;

/** Reads a page's metadata like a browser, in any position. Never fails, whatever the page contains. */
export function readPage(response: { bytes: Buffer; headers: Headers; url: string }): Page {
  const page: Page = { title: "", meta: new Map(), links: [], me: [], linkedData: [], base: response.url };
  let inside: "title" | "data" | null = null;
  let text = "";
  let depth = 0;
  let tags = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === "meta") addMeta(page, attributes);
      if (name === "link") addLink(page, attributes);
      if (name === "link" || name === "a") addMe(page, attributes);
      if (name === "base") setBase(page, attributes.href);
      inside = collecting(name, attributes, page);
      text = "";
      depth++;
      tags++;
    },
    ontext(piece) {
      if (inside && text.length < MAX_TEXT) text += piece;
    },
    onclosetag() {
      if (inside === "title") page.title = text;
      if (inside === "data") page.linkedData.push(text);
      inside = null;
      depth--;
    },
  });
  const html = decode(response.bytes.subarray(0, MAX_PAGE_BYTES), response.headers.get("content-type"));
  for (let i = 0; i < html.length && depth < MAX_DEPTH && tags < MAX_TAGS; i += PIECE)
    parser.write(html.slice(i, i + PIECE));
  parser.end();
  return page;
}

type Attributes = Record<string, string>;

/** Only the first title counts, because inline SVGs have titles too. */
function collecting(name: string, { type }: Attributes, page: Page): "title" | "data" | null {
  if (name === "title" && page.title === "") return "title";
  const isData = name === "script" && type?.trim().toLowerCase() === "application/ld+json";
  return isData && page.linkedData.length < 10 ? "data" : null;
}

function addMeta({ meta }: Page, { name, property, itemprop, content }: Attributes): void {
  const key = (property || name || itemprop)?.trim().toLowerCase();
  if (key && content?.trim() && !meta.has(key) && meta.size < MAX_LINKS)
    meta.set(key, content.slice(0, MAX_TEXT));
}

function addLink({ links }: Page, { rel, href, type }: Attributes): void {
  if (!rel || !href || links.length >= MAX_LINKS) return;
  links.push({ rel: rel.toLowerCase().split(/\s+/), href, type: (type ?? "").trim().toLowerCase() });
}

function addMe({ me }: Page, { rel, href }: Attributes): void {
  if (href && me.length < MAX_LINKS && rel && /(^|\s)me(\s|$)/i.test(rel)) me.push(href.slice(0, MAX_URL));
}

function setBase(page: Page, href: string | undefined): void {
  if (href && URL.canParse(href, page.base)) page.base = new URL(href, page.base).href;
}

import type { LinkCard } from "@tandem/contract/resources";
import type { Outgoing, OutgoingAnswer } from "../outgoing/outgoing.ts";
import { OutgoingError } from "../outgoing/outgoing-error.ts";
import { firstAddress, webAddress } from "./clean/address.ts";
import { jsonOf, stringAt } from "./clean/json.ts";
import { lineOf, nameOf, plainOfEither, titleOf } from "./clean/text.ts";
import { OriginError } from "./connector.ts";
import { dataOf, type LinkedData } from "./linked-data.ts";
import { MOST_OF_PAGE, type Page, readPage } from "./page.ts";

export interface Unfurled {
  card: LinkCard;
  /** The address under which the page wants to be known, if it is of the same site; else where it was found. */
  url: string;
}

/** Heads are seldom longer. */
const MOST_OF_OEMBED = 2 ** 17;
const DESCRIPTION = 500;

/**
 * What a linked page says of itself, by Open Graph, Twitter's cards, linked data, oEmbed or plain HTML, in that order; null if it
 * says nothing, or isn't there. Throws {@link OutgoingError} if it can't be asked.
 */
export async function unfurl(url: string, outgoing: Outgoing): Promise<Unfurled | null> {
  const headers = { accept: "text/html, application/xhtml+xml, */*;q=0.1" };
  const answer = await outgoing(url, { headers, maxBytes: MOST_OF_PAGE, partial: true });
  const type = answer.headers.get("content-type") ?? "text/html";
  if (answer.status !== 200) return null;
  if (/^image\//i.test(type)) return pictureOf(answer);
  if (!/^(text\/html|application\/xhtml\+xml)\b/i.test(type)) return null;
  const page = readPage(answer);
  const found = cardOf(page, answer.url);
  const more = found.title && found.imageUrl ? null : await askOembed(page, outgoing);
  const card = more ? completed(found, more) : found;
  return card.title ? { card, url: canonicalOf(page, answer.url) } : null;
}

function pictureOf({ url }: OutgoingAnswer): Unfurled {
  return { card: { title: null, description: null, imageUrl: webAddress(url), siteName: siteOf(url) }, url };
}

function cardOf(page: Page, url: string): LinkCard {
  const { meta, base, links } = page;
  const data = dataOf(page.linkedData);
  const told = (...names: string[]) => names.map((name) => meta.get(name));
  return {
    title: first([...told("og:title", "twitter:title"), data.title, page.title], titleOf),
    description: first(
      [...told("og:description", "twitter:description"), data.description, ...told("description")],
      (text) => lineOf(text, DESCRIPTION),
    ),
    imageUrl: firstAddress(
      [
        ...told("og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src"),
        data.image,
        links.find(({ rel }) => rel.includes("image_src"))?.href,
      ],
      base,
    ),
    siteName: first([...told("og:site_name"), data.site, ...told("application-name")], nameOf) ?? siteOf(url),
  };
}

/** The first that says anything; such texts are escaped twice by many, and so read as HTML where they look like it. */
function first(told: (string | null | undefined)[], clean: (plain: string) => string | null): string | null {
  for (const one of told) {
    const text = clean(plainOfEither(one));
    if (text) return text;
  }
  return null;
}

function siteOf(url: string): string {
  return new URL(url).hostname.replace(/^www\./, "");
}

/** What the page's oEmbed adds; null if it names none, or that can't be had. */
async function askOembed({ links, base }: Page, outgoing: Outgoing): Promise<LinkedData | null> {
  const named = links.find(({ type }) => /^(application|text)\/json\+oembed\b/.test(type));
  const url = webAddress(named?.href, base);
  if (!url) return null;
  try {
    const answer = await outgoing(url, { headers: { accept: "application/json" }, maxBytes: MOST_OF_OEMBED });
    if (answer.status !== 200) return null;
    const told = jsonOf(answer);
    return {
      title: stringAt(told, "title"),
      description: null,
      image: webAddress(stringAt(told, "thumbnail_url"), answer.url),
      site: stringAt(told, "provider_name"),
    };
  } catch (error) {
    // A card is not worth less for what it lacks.
    if (error instanceof OutgoingError || error instanceof OriginError) return null;
    throw error;
  }
}

function completed(card: LinkCard, more: LinkedData): LinkCard {
  return {
    ...card,
    title: card.title ?? first([more.title], titleOf),
    imageUrl: card.imageUrl ?? webAddress(more.image),
  };
}

/** A page may say by what address it is known, but not that it is another site's. */
function canonicalOf({ links, meta, base }: Page, url: string): string {
  const told = [links.find(({ rel }) => rel.includes("canonical"))?.href, meta.get("og:url")];
  const canonical = firstAddress(told, base);
  return canonical && siteOf(canonical) === siteOf(url) ? canonical : url;
}

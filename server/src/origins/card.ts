import type { LinkCard } from "@tandem/contract/post-resources";
import type { Outgoing, OutgoingResponse } from "../outgoing/outgoing.ts";
import { OutgoingError } from "../outgoing/outgoing-error.ts";
import { firstAddress, webAddress } from "./clean/address.ts";
import { jsonOf, stringAt } from "./clean/json.ts";
import { lineOf, nameOf, plainOfEither, titleOf } from "./clean/text.ts";
import { OriginError } from "./connector.ts";
import { dataOf, type LinkedData } from "./linked-data.ts";
import { MAX_PAGE_BYTES, type Page, readPage } from "./page.ts";

/** The most bytes of an oEmbed response. */
const MAX_OEMBED_BYTES = 2 ** 17;
const DESCRIPTION = 500;

/**
 * Fetches a page and reads its preview from Open Graph, Twitter cards, linked data, plain HTML and oEmbed, in that order.
 * Null if it has none or isn't a 200. Throws {@link OutgoingError} if the request fails.
 *
 * The page's canonical URL is ignored: anyone who can publish on a host could claim to be another page of it.
 */
export async function unfurl(url: string, outgoing: Outgoing): Promise<LinkCard | null> {
  const headers = { accept: "text/html, application/xhtml+xml, */*;q=0.1" };
  const response = await outgoing(url, { headers, maxBytes: MAX_PAGE_BYTES, partial: true });
  const type = response.headers.get("content-type") ?? "text/html";
  if (response.status !== 200) return null;
  if (/^image\//i.test(type)) return pictureOf(response);
  if (!/^(text\/html|application\/xhtml\+xml)\b/i.test(type)) return null;
  const page = readPage(response);
  const found = cardOf(page, response.url);
  const more = found.title && found.imageUrl ? null : await fetchOembed(page, outgoing);
  const card = more ? withOembed(found, more) : found;
  return card.title ? card : null;
}

function pictureOf({ url }: OutgoingResponse): LinkCard {
  return { title: null, description: null, imageUrl: webAddress(url), siteName: siteOf(url) };
}

function cardOf(page: Page, url: string): LinkCard {
  const { meta, base, links } = page;
  const data = dataOf(page.linkedData);
  const metaTags = (...names: string[]) => names.map((name) => meta.get(name));
  return {
    title: first([...metaTags("og:title", "twitter:title"), data.title, page.title], titleOf),
    description: first(
      [...metaTags("og:description", "twitter:description"), data.description, ...metaTags("description")],
      (text) => lineOf(text, DESCRIPTION),
    ),
    imageUrl: firstAddress(
      [
        ...metaTags("og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src"),
        data.image,
        links.find(({ rel }) => rel.includes("image_src"))?.href,
      ],
      base,
    ),
    ...(data.provenance && { provenance: data.provenance }),
    siteName:
      first([...metaTags("og:site_name"), data.site, ...metaTags("application-name")], nameOf) ?? siteOf(url),
  };
}

/** The first non-empty text. Many sites escape these texts twice, so they are parsed as HTML if they look like it. */
function first(
  candidates: (string | null | undefined)[],
  clean: (plain: string) => string | null,
): string | null {
  for (const one of candidates) {
    const text = clean(plainOfEither(one));
    if (text) return text;
  }
  return null;
}

function siteOf(url: string): string {
  return new URL(url).hostname.replace(/^www\./, "");
}

/** Fetches the page's oEmbed data; null if the page has none or it can't be fetched. */
async function fetchOembed({ links, base }: Page, outgoing: Outgoing): Promise<LinkedData | null> {
  const named = links.find(({ type }) => /^(application|text)\/json\+oembed\b/.test(type));
  const url = webAddress(named?.href, base);
  if (!url) return null;
  try {
    const response = await outgoing(url, {
      headers: { accept: "application/json" },
      maxBytes: MAX_OEMBED_BYTES,
    });
    if (response.status !== 200) return null;
    const data = jsonOf(response);
    return {
      title: stringAt(data, "title"),
      description: null,
      image: webAddress(stringAt(data, "thumbnail_url"), response.url),
      site: stringAt(data, "provider_name"),
      provenance: null,
    };
  } catch (error) {
    // oEmbed is optional.
    if (error instanceof OutgoingError || error instanceof OriginError) return null;
    throw error;
  }
}

function withOembed(card: LinkCard, more: LinkedData): LinkCard {
  return {
    ...card,
    title: card.title ?? first([more.title], titleOf),
    imageUrl: card.imageUrl ?? webAddress(more.image),
  };
}

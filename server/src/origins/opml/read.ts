import { limits } from "@tandem/contract/limits";
import type { OriginPlatform } from "@tandem/contract/origins";
import { parseOpml } from "feedsmith";
import { decode } from "../clean/charset.ts";
import { OriginError } from "../connector.ts";
import type { Reading } from "../feeds/parse-in-thread.ts";
import {
  communityAttribute,
  enabledAttribute,
  ownAttributes,
  platformAttribute,
  platformOf,
  urlAttribute,
} from "./format.ts";

/** A feed that an OPML file names, as it says: nothing is validated yet. */
export interface OpmlEntry {
  name: string | null;
  url: string;
  /** What Tandem has written about its own source, if it wrote the file. */
  own: { platform: OriginPlatform; community: string | null; enabled: boolean } | null;
}

/** Longer texts are cut. One character more than an address may have, so that a long one is noticed. */
const MAX_LENGTH = limits.url + 1;

/**
 * The feeds of an OPML file, each once, at most one more than may be imported. Entities that the file declares itself
 * are not expanded. Throws {@link OriginError}.
 */
export function parseOpmlFile({ bytes, contentType }: Pick<Reading, "bytes" | "contentType">): OpmlEntry[] {
  const text = decode(Buffer.from(bytes), contentType).replace(/(?![\t\n\r])\p{Cc}/gu, "");
  const entries = new Map<string, OpmlEntry>();
  const outlines = [...outlinesOf(text.trimStart())];
  // A loop instead of recursion: outlines are nested as deep as the file wants.
  for (let outline = outlines.shift(); outline; outline = outlines.shift()) {
    const entry = entryOf(outline);
    const key = entry && `${entry.own?.platform} ${entry.url}`;
    if (key && !entries.has(key)) entries.set(key, entry);
    if (entries.size > limits.opmlSources) break;
    outlines.unshift(...(outline.outlines ?? []));
  }
  return [...entries.values()];
}

function outlinesOf(text: string) {
  try {
    return parseOpml(text, { extraOutlineAttributes: ownAttributes }).body?.outlines ?? [];
  } catch {
    throw new OriginError("It isn't an OPML file.");
  }
}

type Outline = ReturnType<typeof outlinesOf>[number];

function entryOf(outline: Outline): OpmlEntry | null {
  const platform = platformOf(textAt(outline, platformAttribute));
  const ownUrl = platform && textAt(outline, urlAttribute);
  const url = ownUrl || textAt(outline, "xmlUrl");
  if (url === null) return null;
  const community = textAt(outline, communityAttribute);
  const enabled = textAt(outline, enabledAttribute) !== "no";
  return {
    name: textAt(outline, "text") ?? textAt(outline, "title"),
    url,
    own: platform && ownUrl ? { platform, community, enabled } : null,
  };
}

function textAt(outline: Outline, attribute: keyof Outline): string | null {
  const text = outline[attribute];
  return typeof text === "string" ? text.trim().slice(0, MAX_LENGTH) || null : null;
}

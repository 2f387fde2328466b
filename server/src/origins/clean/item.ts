import { createHash } from "node:crypto";
import { limits } from "@tandem/contract/limits";
import type { Item } from "../connector.ts";
import { webAddress } from "./address.ts";
import { numberOf } from "./json.ts";
import { bodyOf, nameOf, textOf, titleOf } from "./text.ts";
import { timeIfTold } from "./time.ts";

/** A picture or video as an origin tells of it; whatever isn't what it should be is left out. */
export interface FoundMedia {
  type: "image" | "video" | "gif";
  url: unknown;
  width?: unknown;
  height?: unknown;
  seconds?: unknown;
  alt?: unknown;
}

/** An item as its connector found it. Texts are plain already, but neither bounded nor trusted; nor is anything else. */
export interface RawItem {
  key: unknown;
  permalink?: unknown;
  link?: unknown;
  author?: unknown;
  authorAvatarUrl?: unknown;
  title?: unknown;
  body?: unknown;
  media?: FoundMedia | null;
  thumbnailUrl?: unknown;
  community?: unknown;
  score?: unknown;
  postedAt?: unknown;
  /** What addresses are relative to. */
  base?: string;
}

const LONGEST_KEY = 500;
const GREATEST_COUNT = 2 ** 31 - 1;
const GREATEST_SIDE = 100_000;

/** The item within all bounds; null if it shows nothing, or can't be told from others. */
export function itemOf(draft: RawItem): Item | null {
  const { base } = draft;
  const key = keyOf(draft.key);
  const permalink = webAddress(draft.permalink, base);
  const link = webAddress(draft.link, base);
  const title = titleOf(draft.title);
  const body = bodyOf(draft.body);
  const media = mediaOf(draft.media ?? null, link, base);
  if (key === null || (title === null && body === null && media.mediaType === "text")) return null;
  return {
    key,
    permalink,
    link,
    author: nameOf(draft.author) ?? hostOf(permalink ?? link ?? base) ?? "unknown",
    authorAvatarUrl: webAddress(draft.authorAvatarUrl, base),
    title,
    body,
    ...media,
    thumbnailUrl: webAddress(draft.thumbnailUrl, base),
    community: nameOf(draft.community),
    score: whole(draft.score, -GREATEST_COUNT),
    postedAt: timeIfTold(draft.postedAt),
  };
}

/** Whatever is no plain word becomes one; it is only ever compared. */
export function keyOf(given: unknown): string | null {
  if (typeof given !== "string" && typeof given !== "number") return null;
  const key = String(given).trim();
  if (key === "") return null;
  if (key.length <= LONGEST_KEY && key.isWellFormed() && !/\p{Cc}/u.test(key)) return key;
  return createHash("sha256").update(key).digest("hex");
}

type ItemMedia = Pick<Item, "mediaType" | "mediaUrl" | "width" | "height" | "durationSeconds" | "alt">;

function mediaOf(found: FoundMedia | null, link: string | null, base: string | undefined): ItemMedia {
  const url = webAddress(found?.url, base);
  if (!found || !url) {
    const none = { width: null, height: null, durationSeconds: null, alt: null };
    return { mediaType: link ? "link" : "text", mediaUrl: link, ...none };
  }
  return {
    mediaType: found.type,
    mediaUrl: url,
    width: sideOf(found.width),
    height: sideOf(found.height),
    durationSeconds: found.type === "image" ? null : secondsOf(found.seconds),
    alt: textOf(found.alt, limits.alt),
  };
}

function hostOf(address: string | null | undefined): string | null {
  return address && URL.canParse(address) ? nameOf(new URL(address).hostname) : null;
}

function whole(given: unknown, least: number): number | null {
  const count = Math.trunc(numberOf(given));
  return Number.isFinite(count) ? Math.min(Math.max(count, least), GREATEST_COUNT) : null;
}

function sideOf(given: unknown): number | null {
  const side = Math.round(numberOf(given));
  return side > 0 && side <= GREATEST_SIDE ? side : null;
}

function secondsOf(given: unknown): number | null {
  const seconds = numberOf(given);
  return seconds > 0 && seconds <= limits.videoSeconds ? seconds : null;
}

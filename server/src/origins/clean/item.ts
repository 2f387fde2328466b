import { createHash } from "node:crypto";
import { limits } from "@tandem/contract/limits";
import type { PostPicture } from "@tandem/contract/post-resources";
import { provenances } from "@tandem/contract/provenance";
import type { SkipReason } from "@tandem/contract/skip-reasons";
import type { Item } from "../connector.ts";
import { webAddress } from "./address.ts";
import { numberOf } from "./json.ts";
import { bodyOf, lineOf, nameOf, textOf, titleOf } from "./text.ts";
import { timeOrNull } from "./time.ts";

/** A picture or video as its origin describes it; invalid values are dropped later. */
export interface FoundMedia {
  type: "image" | "video" | "gif";
  url: unknown;
  width?: unknown;
  height?: unknown;
  seconds?: unknown;
  alt?: unknown;
}

/** Audio as its origin describes it. */
export interface FoundAudio {
  url: unknown;
  seconds?: unknown;
}

/** An item as a connector found it: texts are plain, but nothing is validated or bounded yet. */
export interface RawItem {
  key: unknown;
  permalink?: unknown;
  link?: unknown;
  author?: unknown;
  authorAvatarUrl?: unknown;
  title?: unknown;
  body?: unknown;
  media?: FoundMedia | null;
  /** All pictures, if the media are pictures. */
  pictures?: readonly FoundMedia[];
  audio?: FoundAudio | null;
  thumbnailUrl?: unknown;
  contentWarning?: unknown;
  sensitive?: boolean;
  community?: unknown;
  score?: unknown;
  /** A negative one counts as unsaid. */
  commentCount?: unknown;
  thread?: unknown;
  /** As the origin says; anything but a known value counts as unsaid. */
  provenance?: unknown;
  postedAt?: unknown;
  /** The base for relative URLs. */
  base?: string;
  /** Why it is left out, if it is. */
  skip?: SkipReason | null;
}

const MAX_KEY = 500;
const MAX_COUNT = 2 ** 31 - 1;
const MAX_SIDE = 100_000;

/** Validates and bounds an item; null if it is left out, has no content or no key. */
export function itemOf(raw: RawItem): Item | null {
  if (raw.skip) return null;
  const { base } = raw;
  const key = keyOf(raw.key);
  const permalink = webAddress(raw.permalink, base);
  const audioUrl = webAddress(raw.audio?.url, base);
  const mediaUrl = webAddress(raw.media?.url, base);
  // Audio without a page, a picture or a video is itself the link.
  const link = webAddress(raw.link, base) ?? (permalink || mediaUrl ? null : audioUrl);
  const title = titleOf(raw.title);
  const body = bodyOf(raw.body);
  const media = mediaOf(raw.media ?? null, mediaUrl, link);
  if (key === null || (title === null && body === null && media.mediaType === "text" && audioUrl === null))
    return null;
  return {
    key,
    permalink,
    link,
    author: nameOf(raw.author) ?? hostOf(permalink ?? link ?? base) ?? "unknown",
    authorAvatarUrl: webAddress(raw.authorAvatarUrl, base),
    title,
    body,
    ...media,
    audioUrl,
    durationSeconds: media.durationSeconds ?? (audioUrl === null ? null : secondsOf(raw.audio?.seconds)),
    thumbnailUrl: webAddress(raw.thumbnailUrl, base),
    pictures: media.mediaType === "image" ? picturesOf(raw) : [],
    contentWarning: lineOf(raw.contentWarning, limits.contentWarning),
    sensitive: raw.sensitive === true,
    community: nameOf(raw.community),
    score: scoreOf(raw.score),
    commentCount: numberOf(raw.commentCount) >= 0 ? whole(raw.commentCount, 0) : null,
    thread: webAddress(raw.thread, base),
    provenance: provenances.find((known) => known === raw.provenance) ?? null,
    postedAt: timeOrNull(raw.postedAt),
  };
}

/** Why {@link itemOf} returns null. */
export function skipReasonOf(raw: RawItem): SkipReason {
  return raw.skip ?? (keyOf(raw.key) === null ? "no_key" : "no_content");
}

/** Normalizes a key; long or malformed keys are hashed, because keys are only compared. */
export function keyOf(given: unknown): string | null {
  if (typeof given !== "string" && typeof given !== "number") return null;
  const key = String(given).trim();
  if (key === "") return null;
  if (key.length <= MAX_KEY && key.isWellFormed() && !/\p{Cc}/u.test(key)) return key;
  return createHash("sha256").update(key).digest("hex");
}

type ItemMedia = Pick<Item, "mediaType" | "mediaUrl" | "width" | "height" | "durationSeconds" | "alt">;

function mediaOf(found: FoundMedia | null, url: string | null, link: string | null): ItemMedia {
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

/** Several pictures, each once; none if there is only one. */
function picturesOf({ pictures = [], base }: RawItem): PostPicture[] {
  const found = new Map<string, PostPicture>();
  for (const { url: given, width, height, alt } of pictures) {
    const url = webAddress(given, base);
    if (url === null || found.has(url) || found.size === limits.picturesPerPost) continue;
    found.set(url, { url, width: sideOf(width), height: sideOf(height), alt: textOf(alt, limits.alt) });
  }
  return found.size > 1 ? [...found.values()] : [];
}

function hostOf(address: string | null | undefined): string | null {
  return address && URL.canParse(address) ? nameOf(new URL(address).hostname) : null;
}

/** A score, which may be negative; null if it isn't a number. */
export function scoreOf(given: unknown): number | null {
  return whole(given, -MAX_COUNT);
}

function whole(given: unknown, least: number): number | null {
  const count = Math.trunc(numberOf(given));
  return Number.isFinite(count) ? Math.min(Math.max(count, least), MAX_COUNT) : null;
}

function sideOf(given: unknown): number | null {
  const side = Math.round(numberOf(given));
  return side > 0 && side <= MAX_SIDE ? side : null;
}

function secondsOf(given: unknown): number | null {
  const seconds = numberOf(given);
  return seconds > 0 && seconds <= limits.videoSeconds ? seconds : null;
}

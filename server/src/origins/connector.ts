import type { OriginPlatform } from "@tandem/contract/origins";
import type { MediaType, PostPicture } from "@tandem/contract/post-resources";
import type { Provenance } from "@tandem/contract/provenance";
import type { SkipList } from "./skips.ts";

/** An item of an origin, sanitized for a post: texts are plain, URLs are http or https. */
export interface Item {
  /** The origin's id for it: stable, unique within the platform, at most 500 characters. */
  key: string;
  /** Its page at the origin. */
  permalink: string | null;
  /** The target of a link post; for a feed's article, its own page. */
  link: string | null;
  author: string;
  authorAvatarUrl: string | null;
  title: string | null;
  body: string | null;
  mediaType: MediaType;
  /** The picture, video or link, according to `mediaType`; null for text. */
  mediaUrl: string | null;
  /** Audio, whatever the `mediaType`. */
  audioUrl: string | null;
  thumbnailUrl: string | null;
  width: number | null;
  height: number | null;
  durationSeconds: number | null;
  /** The author's description of the picture. */
  alt: string | null;
  /** All pictures, the first included, if there are several; otherwise none. */
  pictures: PostPicture[];
  /** What readers are warned of; null without a warning. */
  contentWarning: string | null;
  /** Whether the origin marks its media as sensitive. */
  sensitive: boolean;
  /** The community, such as a subreddit or channel. */
  community: string | null;
  /** Null if the origin doesn't say; a known value is never overwritten with null. */
  score: number | null;
  /** The number of comments at the origin; null as for the score. */
  commentCount: number | null;
  /** The page with its comments at the origin, if that isn't the permalink. */
  thread: string | null;
  /** Null if the origin doesn't say. Posts of accounts that it calls automated count as `ai_generated`. */
  provenance: Provenance | null;
  /** In milliseconds since 1970, never in the future; null if the origin doesn't say. */
  postedAt: number | null;
}

/** What a source polls. */
export interface SourceAddress {
  /** The canonical URL, which is stored. Its connector recognizes it. */
  url: string;
  /** A display name. */
  name: string;
  community: string | null;
}

/** A successful response of an origin. */
export interface OriginResponse {
  status: 200 | 304;
  /** The URL after redirects. */
  url: string;
  headers: Headers;
  /** The decompressed body; empty for a 304. */
  bytes: Buffer;
}

/**
 * Fetches a URL from an origin, within its rate limits, and conditionally if it was fetched before. Throws
 * {@link OriginError} for any status but 200 and 304.
 */
export type Ask = (url: string, options?: AskOptions) => Promise<OriginResponse>;

export interface AskOptions {
  accept?: string;
  /** Sends an unconditional request, so that the response isn't a 304. */
  unconditional?: boolean;
  /**
   * Whether to obey robots.txt: for URLs of arbitrary web sites, but not for the documented APIs of platforms, whose
   * robots.txt often excludes crawlers all the same.
   */
  uninvited?: boolean;
}

/** A WebSub hub that announces changes of a feed. */
export interface NamedHub {
  hub: string;
  /** The feed's own name at the hub. */
  topic: string;
}

/** The result of polling a source. */
export interface PollResult {
  items: Item[];
  /** Nothing has changed since the last poll: a 304. */
  unchanged: boolean;
  /** Keys of items that the origin reports as deleted. */
  gone: string[];
  /** Whether `items` has everything that the origin shows for the time they span, so that missing items are deleted. */
  complete: boolean;
  /** Whether the items have less detail than in other polls, so that known items aren't changed. */
  brief?: boolean;
  /** The items that were left out, and why; omitted if there were none. */
  skipped?: SkipList;
  /** Seconds until the origin wants to be polled again, if it says so. */
  askAgainAfter: number | null;
  /** The hub that announces changes; null if there is none, omitted if the response doesn't tell. */
  hub?: NamedHub | null;
}

/** Imports from one platform. To add another, see "Add a platform" in CONTRIBUTING.md. */
export interface Connector {
  platform: OriginPlatform;
  /**
   * The NodeInfo software names of this platform's servers, if anyone can run one; omitted if the URL alone identifies
   * the platform.
   */
  software?: readonly string[];
  /** Parses a URL; null if it isn't a source of this platform. Makes no requests. */
  recognize(address: URL): SourceAddress | null;
  /** The common prefix of the keys of all items of a source, if it depends on the source's URL. */
  keysBegin?(place: Pick<SourceAddress, "url">): string;
  /** Looks up the display name if the URL doesn't contain it. Called once, when a source is added. */
  name?(place: SourceAddress, ask: Ask): Promise<SourceAddress>;
  poll(place: SourceAddress, ask: Ask): Promise<PollResult>;
}

/** An origin's response can't be used. The message is for the admin. */
export class OriginError extends Error {
  /** The HTTP status; null if the response succeeded but its content is unusable. */
  readonly status: number | null;
  /** Seconds to wait before a retry, if the origin said so. */
  readonly retryAfter: number | null;

  constructor(message: string, status: number | null = null, retryAfter: number | null = null) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

import type { OriginPlatform } from "@tandem/contract/origins";
import type { MediaType } from "@tandem/contract/resources";

/** One thing that an origin shows, cleaned to what a post carries: every text is plain, every address http or https. */
export interface Item {
  /** What the origin knows it by: stable, unique within the platform, 500 characters at most. */
  key: string;
  /** Its own page at the origin. */
  permalink: string | null;
  /** What a link post links to; of a feed's article that is its own page. */
  link: string | null;
  author: string;
  authorAvatarUrl: string | null;
  title: string | null;
  body: string | null;
  mediaType: MediaType;
  /** The picture, video or link that `mediaType` tells of; null for a text. */
  mediaUrl: string | null;
  thumbnailUrl: string | null;
  width: number | null;
  height: number | null;
  durationSeconds: number | null;
  /** What the picture shows, in words of whoever posted it. */
  alt: string | null;
  /** By the platform's community term. */
  community: string | null;
  /** Null where the origin doesn't say: what is unknown never takes the place of what is known. So are the next two. */
  score: number | null;
  /** In milliseconds since 1970, never in the future. */
  postedAt: number | null;
}

/** What a source gathers from. */
export interface Place {
  /** The canonical address, which is stored; its connector recognises it again. */
  url: string;
  /** For people. */
  name: string;
  community: string | null;
}

/** A good answer of an origin. */
export interface Answer {
  status: 200 | 304;
  /** Where it came from in the end, after redirects. */
  url: string;
  headers: Headers;
  /** Without transfer's encodings; empty for a 304. */
  bytes: Buffer;
}

/**
 * Asks an origin for one address: politely, within bounds, and conditionally if that address was asked before.
 * Whoever gathers is given it. Throws {@link OriginError} for any status but 200 and 304.
 */
export type Ask = (url: string, options?: AskOptions) => Promise<Answer>;

export interface AskOptions {
  accept?: string;
  /** The answer is needed though it may be known from before: no 304. */
  anew?: boolean;
  /**
   * It is an address of any web site, whose robots.txt has a say; not one that a platform documents for programs, and
   * keeps from crawlers all the same.
   */
  uninvited?: boolean;
}

/** What one visit to a place has brought. */
export interface Gathered {
  items: Item[];
  /** Nothing is new since the last visit: a 304. */
  unchanged: boolean;
  /** Keys of items that the origin says are gone. */
  gone: string[];
  /** Whether `items` is all that the origin shows of the time that they span, so that what is missing in it is gone. */
  complete: boolean;
  /** Whether the items tell less than they did or will at other visits, so that nothing known of them is changed. */
  brief?: boolean;
  /** Seconds after which the origin wants to be asked again, if it says so. */
  askAgainAfter: number | null;
}

/** One origin platform: adding another is one file like those beside this, a line in `connectors.ts`, and a fixture. */
export interface Connector {
  platform: OriginPlatform;
  /**
   * Names under which servers of this platform give themselves away by NodeInfo, where anybody can run one;
   * left out where the address alone tells the platform.
   */
  software?: readonly string[];
  /** What an address means to it, null if it isn't one of its. No request is made. */
  recognise(address: URL): Place | null;
  /** What the keys of all items of a place begin with, where that depends on its address. */
  keysBegin?(place: Pick<Place, "url">): string;
  /** The place with the name that people know it by, where its address has another. Asked once, when a source is added. */
  name?(place: Place, ask: Ask): Promise<Place>;
  gather(place: Place, ask: Ask): Promise<Gathered>;
}

/** What an origin answered can't be used; its message is for the operator. */
export class OriginError extends Error {
  /** The status it answered; null if the answer was good and its content is not. */
  readonly status: number | null;
  /** Seconds to wait, if it said so. */
  readonly retryAfter: number | null;

  constructor(message: string, status: number | null = null, retryAfter: number | null = null) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

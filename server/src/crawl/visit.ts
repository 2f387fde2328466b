import { HOUR } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import type { Services } from "../http/services.ts";
import { type Ask, OriginError, type OriginResponse } from "../origins/connector.ts";
import type { OutgoingResponse } from "../outgoing/outgoing.ts";
import { fetchFollowingRedirects } from "./follow-redirects.ts";
import { HostThrottle } from "./host-throttle.ts";
import { Robots } from "./robots.ts";

/** Requests per visit. */
const MAX_REQUESTS = 40;
/** Milliseconds to wait for a busy host. If the wait is longer, the caller should come back later. */
export const MAX_WAIT = 10_000;

/** The cache validators of a page, for conditional requests. */
export interface PageValidators {
  url: string;
  etag: string | null;
  last_modified: string | null;
}

/** Throttling and robots.txt rules, shared by all visits of a process. */
export class CrawlPolicy {
  readonly hosts: HostThrottle;
  readonly robots = new Robots();

  /** @param spacing milliseconds between two requests to the same host */
  constructor(spacing: number) {
    this.hosts = new HostThrottle(spacing);
  }
}

export interface Visit {
  fetch: Ask;
  /** Validators of the pages fetched, by URL. Store them only once the content has been imported. */
  pages: Map<string, PageValidators>;
  /** Permanent redirects: from the requested URL to the new one. */
  moves: Map<string, string>;
}

/** Starts a visit to an origin. `known` are the validators of the previous visit. */
export function beginVisit(
  services: Services,
  policy: CrawlPolicy,
  known: readonly PageValidators[],
  signal: AbortSignal,
): Visit {
  const { outgoing } = services;
  const { hosts, robots } = policy;
  const knownByUrl = new Map(known.map((page) => [page.url, page]));
  const pages = new Map<string, PageValidators>();
  const moves = new Map<string, string>();
  let requests = 0;
  const fetch: Ask = async (address, { accept, unconditional = false, uninvited = false } = {}) => {
    requests += 1;
    if (requests > MAX_REQUESTS)
      throw new OriginError(`The source needs more than ${MAX_REQUESTS} requests per visit.`);
    const requested = parseUrl(address);
    const knownPage = knownByUrl.get(requested.href);
    const headers = { ...(accept && { accept }), ...(!unconditional && conditionalHeaders(knownPage)) };
    const response = await fetchFollowingRedirects(
      outgoing,
      requested,
      { headers, signal },
      async (url, send) => {
        const spacing = uninvited ? await robots.check(url, outgoing, signal, services.now()) : 0;
        // Only the first request to a host may be refused as busy: once a visit has begun, it is completed.
        const isFirst = requests === 1 || url !== requested;
        return hosts.run(url.host, signal, send, { spacing, ...(isFirst && { maxWait: MAX_WAIT }) });
      },
    );
    // An unchanged page keeps its validators.
    if (response.status === 304 && knownPage) pages.set(requested.href, knownPage);
    if (response.moved && response.redirects > 0) moves.set(requested.href, response.url);
    return requireGoodResponse(response, hosts, requested, services.now(), pages);
  };
  return { fetch, pages, moves };
}

function parseUrl(address: string): URL {
  if (!URL.canParse(address)) throw new OriginError(`"${address.slice(0, 200)}" is not a valid URL.`);
  return new URL(address);
}

/** Headers that request a page only if it has changed. */
export function conditionalHeaders(page: Omit<PageValidators, "url"> | undefined): Record<string, string> {
  return {
    ...(page?.etag && { "if-none-match": page.etag }),
    ...(page?.last_modified && { "if-modified-since": page.last_modified }),
  };
}

/** Records the page's validators. Throws {@link OriginError} for any status but 200 and 304. */
function requireGoodResponse(
  { status, url, headers, bytes }: OutgoingResponse,
  hosts: HostThrottle,
  requested: URL,
  now: number,
  pages: Map<string, PageValidators>,
): OriginResponse {
  if (status === 200 || status === 304) {
    if (status === 200 && requested.href.length <= limits.url)
      pages.set(requested.href, validatorsOf(requested.href, headers));
    return { status, url, headers, bytes };
  }
  const { host } = new URL(url);
  const retryAfter = pauseIfAsked({ status, headers }, hosts, host, now);
  throw new OriginError(`${host} responded with status ${status}.`, status, retryAfter);
}

/** Milliseconds for which a host can ask not to be requested. */
const MAX_PAUSE = HOUR;

/** Pauses a host that returned 429 or 503. Returns the seconds of its `Retry-After`, if any. */
export function pauseIfAsked(
  { status, headers }: Pick<OutgoingResponse, "status" | "headers">,
  hosts: HostThrottle,
  host: string,
  now: number,
): number | null {
  const retryAfter = parseRetryAfter(headers.get("retry-after"), now);
  if (status === 429 || status === 503) hosts.pause(host, Math.min((retryAfter ?? 60) * 1000, MAX_PAUSE));
  return retryAfter;
}

/** Longer validators are ignored: characters. */
const MAX_VALIDATOR = 500;

export function validatorsOf(url: string, headers: Headers): PageValidators {
  const [etag, last_modified] = ["etag", "last-modified"].map((name) => {
    const value = headers.get(name);
    return value !== null && value.length <= MAX_VALIDATOR && /^[ -~]+$/.test(value) ? value : null;
  });
  return { url, etag: etag ?? null, last_modified: last_modified ?? null };
}

/** Seconds from a `Retry-After` header, which has either seconds or a date. */
function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000));
}

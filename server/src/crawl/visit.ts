import { limits } from "@tandem/contract/limits";
import { retryAfterOf } from "../http/retry-after.ts";
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

  /** Whether requests wait for those of other processes, because nobody waits for the visit. */
  readonly claim: boolean;

  /** @param spacing milliseconds between two requests to the same host */
  constructor(services: Services, spacing: number, claim: boolean) {
    this.hosts = new HostThrottle(services, spacing);
    this.claim = claim;
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
  const { hosts, robots, claim } = policy;
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
        const spacing = uninvited ? await robots.check(services, url, signal) : 0;
        // Only the first request to a host may be refused as busy. Later ones wait, unless the host asks for a pause meanwhile.
        const isFirst = requests === 1 || url !== requested;
        return hosts.run(url.host, signal, send, { spacing, claim, ...(isFirst && { maxWait: MAX_WAIT }) });
      },
    );
    // An unchanged page keeps its validators.
    if (response.status === 304 && knownPage) pages.set(requested.href, knownPage);
    if (response.moved && response.redirects > 0) moves.set(requested.href, response.url);
    return requireGoodResponse(response, requested, services.now(), pages);
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
  throw new OriginError(`${host} responded with status ${status}.`, status, retryAfterOf(headers, now));
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

import { limits } from "@tandem/contract/limits";
import type { Services } from "../http/services.ts";
import { type Answer, type Ask, OriginError } from "../origins/connector.ts";
import type { OutgoingAnswer } from "../outgoing/outgoing.ts";
import { askOnward } from "./follow-redirects.ts";
import { Hosts } from "./hosts.ts";
import { Robots } from "./robots.ts";

/** Requests of one visit at most. */
const REQUESTS = 40;
/** Who comes to a host that is busy for longer than this, in milliseconds, comes back later. */
export const WAIT = 10_000;

/** What is remembered of an address, so that it needn't say again what it said. */
export interface Page {
  url: string;
  etag: string | null;
  last_modified: string | null;
}

/** How a process asks origins: politely, all its visits together. */
export class CrawlPolicy {
  readonly hosts: Hosts;
  readonly robots = new Robots();

  constructor(spacing: number) {
    this.hosts = new Hosts(spacing);
  }
}

export interface Visit {
  ask: Ask;
  /** What is to be remembered, once what was said has been taken in. */
  pages: Map<string, Page>;
  /** Where what was asked for has gone for good, by the address that was asked. */
  moves: Map<string, string>;
}

/** Begins a visit to an origin, of which some pages are known. */
export function beginVisit(
  services: Services,
  manners: CrawlPolicy,
  known: readonly Page[],
  signal: AbortSignal,
): Visit {
  const { outgoing } = services;
  const { hosts, robots } = manners;
  const before = new Map(known.map((page) => [page.url, page]));
  const pages = new Map<string, Page>();
  const moves = new Map<string, string>();
  let requests = 0;
  const ask: Ask = async (address, { accept, anew = false, uninvited = false } = {}) => {
    requests += 1;
    if (requests > REQUESTS) throw new OriginError(`More than ${REQUESTS} requests would be needed.`);
    const asked = urlOf(address);
    const headers = { ...(accept && { accept }), ...(!anew && conditions(before.get(asked.href))) };
    const answer = await askOnward(outgoing, asked, { headers, signal }, async (url, send) => {
      const spacing = uninvited ? await robots.judge(url, outgoing, signal, services.now()) : 0;
      // A visit that has begun is seen through; others come before one that would only wait.
      const isFirst = requests === 1 || url !== asked;
      return hosts.inTurn(url.host, signal, send, { spacing, ...(isFirst && { patience: WAIT }) });
    });
    const known = before.get(asked.href);
    // What has not changed is remembered as it was.
    if (answer.status === 304 && known) pages.set(asked.href, known);
    if (answer.moved && answer.redirects > 0) moves.set(asked.href, answer.url);
    return judge(answer, hosts, asked, services.now(), pages);
  };
  return { ask, pages, moves };
}

function urlOf(address: string): URL {
  if (!URL.canParse(address)) throw new OriginError(`"${address.slice(0, 200)}" is no address.`);
  return new URL(address);
}

/** Headers that ask for a page only if it isn't as it was. */
export function conditions(page: Omit<Page, "url"> | undefined): Record<string, string> {
  return {
    ...(page?.etag && { "if-none-match": page.etag }),
    ...(page?.last_modified && { "if-modified-since": page.last_modified }),
  };
}

function judge(
  { status, url, headers, bytes }: OutgoingAnswer,
  hosts: Hosts,
  asked: URL,
  now: number,
  pages: Map<string, Page>,
): Answer {
  if (status === 200 || status === 304) {
    if (status === 200 && asked.href.length <= limits.url) pages.set(asked.href, pageOf(asked.href, headers));
    return { status, url, headers, bytes };
  }
  const { host } = new URL(url);
  const retryAfter = restOf({ status, headers }, hosts, host, now);
  throw new OriginError(`${host} answered with status ${status}.`, status, retryAfter);
}

/** A host that wants to be left alone is, for so long at most; in milliseconds. */
const LONGEST_REST = 3_600_000;

/** Leaves a host alone that wants to be, as it says; gives back for how many seconds, if it says so. */
export function restOf(
  { status, headers }: Pick<OutgoingAnswer, "status" | "headers">,
  hosts: Hosts,
  host: string,
  now: number,
): number | null {
  const retryAfter = secondsOf(headers.get("retry-after"), now);
  if (status === 429 || status === 503) hosts.rest(host, Math.min((retryAfter ?? 60) * 1000, LONGEST_REST));
  return retryAfter;
}

/** Validators longer than this are no use to anybody. */
const VALIDATOR = 500;

export function pageOf(url: string, headers: Headers): Page {
  const [etag, last_modified] = ["etag", "last-modified"].map((name) => {
    const value = headers.get(name);
    return value !== null && value.length <= VALIDATOR && /^[ -~]+$/.test(value) ? value : null;
  });
  return { url, etag: etag ?? null, last_modified: last_modified ?? null };
}

/** `Retry-After`, as seconds or as a date. */
function secondsOf(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000));
}

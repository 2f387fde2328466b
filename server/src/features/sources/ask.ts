import { limits } from "@tandem/contract/limits";
import type { House } from "../../http/house.ts";
import { type Answer, type Ask, OriginError } from "../../origins/connector.ts";
import type { OutgoingAnswer } from "../../outgoing/outgoing.ts";
import { Hosts } from "./hosts.ts";
import { Robots } from "./robots.ts";

/** Requests of one visit at most. */
const REQUESTS = 40;
/** A host that wants to be left alone is, for so long at most; in milliseconds. */
const LONGEST_REST = 3_600_000;

/** What is remembered of an address, so that it needn't say again what it said. */
export interface Page {
  url: string;
  etag: string | null;
  last_modified: string | null;
}

/** How a process asks origins: politely, all its visits together. */
export class Manners {
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
}

/** Begins a visit to an origin, of which some pages are known. */
export function beginVisit(
  house: House,
  manners: Manners,
  known: readonly Page[],
  signal: AbortSignal,
): Visit {
  const { outgoing } = house;
  const before = new Map(known.map((page) => [page.url, page]));
  const pages = new Map<string, Page>();
  let requests = 0;
  const ask: Ask = async (address, { accept, anew = false, uninvited = false } = {}) => {
    requests += 1;
    if (requests > REQUESTS) throw new OriginError(`More than ${REQUESTS} requests would be needed.`);
    const url = urlOf(address);
    const spacing = uninvited ? await manners.robots.judge(url, outgoing, signal, house.now()) : 0;
    const headers = { ...(accept && { accept }), ...(!anew && conditions(before.get(url.href))) };
    const send = () => outgoing(url, { headers, signal });
    const answer = await manners.hosts.inTurn(url.host, signal, send, spacing);
    const known = before.get(url.href);
    // What has not changed is remembered as it was.
    if (answer.status === 304 && known) pages.set(url.href, known);
    return judge(answer, manners.hosts, url, house.now(), pages);
  };
  return { ask, pages };
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
  const retryAfter = secondsOf(headers.get("retry-after"), now);
  if (status === 429 || status === 503)
    hosts.rest(asked.host, Math.min((retryAfter ?? 60) * 1000, LONGEST_REST));
  throw new OriginError(`${asked.host} answered with status ${status}.`, status, retryAfter);
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

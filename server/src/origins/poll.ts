import { setImmediate as turn } from "node:timers/promises";
import { itemOf, keyOf, type RawItem, skipReasonOf } from "./clean/item.ts";
import { at, jsonOf } from "./clean/json.ts";
import { type Ask, type Item, OriginError, type OriginResponse, type PollResult } from "./connector.ts";
import { SkipList } from "./skips.ts";

/** The most items of a response that are read. */
export const MAX_ITEMS = 100;

/** How to read a JSON response. */
export interface Reading {
  /** The path to the list of items. */
  list: (string | number)[];
  toRawItem: (one: unknown) => RawItem;
  /** Whether an item in the list is marked as deleted. */
  isGone?: (one: unknown) => boolean;
  /** Whether the list is meant to be newest first, without gaps. */
  complete: boolean;
}

/** Polls a source whose items are in one JSON response. */
export async function pollJson(ask: Ask, url: string, reading: Reading): Promise<PollResult> {
  const response = await ask(url, { accept: "application/json" });
  return response.status === 304
    ? unchangedResult(response)
    : pollResultOf(response, jsonOf(response), reading);
}

export async function pollResultOf(
  { headers }: Pick<OriginResponse, "headers">,
  all: unknown,
  { list, toRawItem, isGone = () => false, complete }: Reading,
): Promise<PollResult> {
  const found = at(all, ...list);
  if (!Array.isArray(found)) throw new OriginError("The JSON response has no list of items.");
  const listed = found.slice(0, MAX_ITEMS);
  const skipped = new SkipList();
  const toExisting = (one: unknown): RawItem => ({
    ...toRawItem(one),
    ...(isGone(one) && { skip: "deleted" }),
  });
  const items = await itemsOf(listed, toExisting, skipped);
  skipped.count("too_many", found.length - listed.length);
  return {
    items,
    unchanged: false,
    skipped,
    gone: listed.filter(isGone).flatMap((one) => keyOf(toRawItem(one).key) ?? []),
    complete:
      complete &&
      found.length <= MAX_ITEMS &&
      isNewestFirst(items.map(({ postedAt }) => postedAt ?? Number.NaN)),
    askAgainAfter: maxAgeOf(headers),
  };
}

/**
 * Whether a list is newest first. Only then is it complete between two of its items. Otherwise an old item that arrived
 * late would make all unlisted items since then look deleted.
 */
export function isNewestFirst(times: number[]): boolean {
  return times.every((time, i) => Number.isFinite(time) && time <= (times[i - 1] ?? time));
}

/** Nothing is new. */
export function unchangedResult({ headers }: Pick<OriginResponse, "headers">): PollResult {
  return { items: [], unchanged: true, gone: [], complete: false, askAgainAfter: maxAgeOf(headers) };
}

/** Sanitizes items one by one, yielding to other work in between. Adds to `skipped` what it leaves out. */
export async function itemsOf<Found>(
  found: Found[],
  toRawItem: (one: Found) => RawItem,
  skipped: SkipList,
): Promise<Item[]> {
  const items = new Map<string, Item>();
  for (const one of found.slice(0, MAX_ITEMS)) {
    const raw = toRawItem(one);
    const item = itemOf(raw);
    if (!item) skipped.add(isObject(one) ? skipReasonOf(raw) : "malformed", raw);
    else if (items.has(item.key)) skipped.add("duplicate", item);
    else items.set(item.key, item);
    await turn();
  }
  return [...items.values()];
}

function isObject(one: unknown): boolean {
  return typeof one === "object" && one !== null;
}

/** A response's freshness in seconds, from Cache-Control or Expires; null if it has none. */
export function maxAgeOf(headers: Headers): number | null {
  const maxAge = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,9})/i.exec(headers.get("cache-control") ?? "")?.[1];
  if (maxAge !== undefined) return Number(maxAge) || null;
  const [until, from] = [headers.get("expires"), headers.get("date")].map((time) => Date.parse(time ?? ""));
  const seconds = Math.round(((until ?? Number.NaN) - (from ?? Number.NaN)) / 1000);
  return seconds > 0 ? seconds : null;
}

import { setImmediate as turn } from "node:timers/promises";
import { itemOf, keyOf, type RawItem } from "./clean/item.ts";
import { at, jsonOf } from "./clean/json.ts";
import { type Answer, type Ask, type Gathered, type Item, OriginError } from "./connector.ts";

/** So many items of one answer are looked at; no origin shows as many but in error. */
export const MOST_ITEMS = 100;

/** How an answer of JSON is read. */
export interface Reading {
  /** The way to the list of items. */
  list: (string | number)[];
  draft: (one: unknown) => RawItem | null;
  /** Whether an item stands in the list only to say that it is gone. */
  isGone?: (one: unknown) => boolean;
  /** Whether the list is meant to go by time, without gaps. */
  complete: boolean;
}

/** What one answer of JSON brings, which is all of a visit to most places. */
export async function visitJson(ask: Ask, url: string, reading: Reading): Promise<Gathered> {
  const answer = await ask(url, { accept: "application/json" });
  return answer.status === 304 ? unchangedAs(answer) : gatheredFrom(answer, jsonOf(answer), reading);
}

export async function gatheredFrom(
  { headers }: Pick<Answer, "headers">,
  all: unknown,
  { list, draft, isGone = () => false, complete }: Reading,
): Promise<Gathered> {
  const found = at(all, ...list);
  if (!Array.isArray(found)) throw new OriginError("It answered JSON without a list of items.");
  const shown = found.slice(0, MOST_ITEMS);
  const there = shown.filter((one) => !isGone(one));
  const items = await itemsOf(there, draft);
  return {
    items,
    unchanged: false,
    gone: shown.filter(isGone).flatMap((one) => keyOf(draft(one)?.key) ?? []),
    complete:
      complete && found.length <= MOST_ITEMS && isByTime(items.map(({ postedAt }) => postedAt ?? Number.NaN)),
    askAgainAfter: freshFor(headers),
  };
}

/**
 * Whether a list goes by time, the latest first. Only then is nothing left out between two of its items: what came late to a
 * server, for one, would else make all that isn't shown since then look as if it were gone.
 */
export function isByTime(times: number[]): boolean {
  return times.every((time, i) => Number.isFinite(time) && time <= (times[i - 1] ?? time));
}

/** Nothing is new. */
export function unchangedAs({ headers }: Pick<Answer, "headers">): Gathered {
  return { items: [], unchanged: true, gone: [], complete: false, askAgainAfter: freshFor(headers) };
}

/** Cleaned one by one, with a pause for others between; what is no item is left out, and what comes twice, comes once. */
export async function itemsOf<Found>(found: Found[], draft: (one: Found) => RawItem | null): Promise<Item[]> {
  const items = new Map<string, Item>();
  for (const one of found.slice(0, MOST_ITEMS)) {
    const drafted = draft(one);
    const item = drafted && itemOf(drafted);
    if (item && !items.has(item.key)) items.set(item.key, item);
    await turn();
  }
  return [...items.values()];
}

/** Seconds for which an answer says of itself that it is fresh; null if it doesn't. */
export function freshFor(headers: Headers): number | null {
  const told = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,9})/i.exec(headers.get("cache-control") ?? "")?.[1];
  if (told !== undefined) return Number(told) || null;
  const [until, from] = [headers.get("expires"), headers.get("date")].map((time) => Date.parse(time ?? ""));
  const seconds = Math.round(((until ?? Number.NaN) - (from ?? Number.NaN)) / 1000);
  return seconds > 0 ? seconds : null;
}

import { type SkipReason, skipReasonNames } from "@tandem/contract/skip-reasons";
import { webAddress } from "./clean/address.ts";
import { keyOf, type RawItem } from "./clean/item.ts";
import { lineOf } from "./clean/text.ts";

/** Examples kept per visit. */
const EXAMPLES = 10;
/** What is kept of each: characters. */
const MAX_TITLE = 120;
const MAX_URL = 500;

/** Nothing but the address is kept of items that shouldn't be shown. */
const unshown: ReadonlySet<SkipReason> = new Set<SkipReason>([
  "adult",
  "not_public",
  "opted_out",
  "deleted",
  "removed_here",
]);

/** An item that was skipped, as an example. */
export interface Skipped {
  reason: SkipReason;
  title: string | null;
  /** Its page; its key if it has no page. */
  url: string | null;
}

/** The items that a visit skipped: how many for which reason, and some examples of each. */
export class SkipList {
  readonly #counts: Map<SkipReason, number>;
  readonly #examples: Map<SkipReason, readonly Skipped[]>;

  constructor(begun?: SkipList) {
    this.#counts = new Map(begun ? begun.#counts : []);
    this.#examples = new Map(begun ? begun.#examples : []);
  }

  add(reason: SkipReason, item: Pick<RawItem, "key" | "permalink" | "link" | "title" | "base">): void {
    this.count(reason);
    const examples = this.#examples.get(reason) ?? [];
    if (examples.length >= EXAMPLES) return;
    const title = unshown.has(reason) ? null : lineOf(item.title, MAX_TITLE);
    const url = addressOf(item);
    if (title !== null || url !== null) this.#examples.set(reason, [...examples, { reason, title, url }]);
  }

  /** Counts items of which nothing else is known. */
  count(reason: SkipReason, items = 1): void {
    if (items > 0) this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + items);
  }

  /** Most frequent first. */
  get counts(): { reason: SkipReason; count: number }[] {
    return [...this.#counts]
      .map(([reason, count]) => ({ reason, count }))
      .sort((a, b) => b.count - a.count || orderOf(a.reason) - orderOf(b.reason));
  }

  /** The first of each reason, then the second of each, and so on, until there are enough. */
  get examples(): Skipped[] {
    const lists = [...this.#examples.values()];
    const ranked = lists.flatMap((list) => list.map((example, rank) => ({ example, rank })));
    return ranked
      .sort((a, b) => a.rank - b.rank)
      .slice(0, EXAMPLES)
      .map(({ example }) => example)
      .sort((a, b) => orderOf(a.reason) - orderOf(b.reason));
  }
}

function orderOf(reason: SkipReason): number {
  return skipReasonNames.indexOf(reason);
}

function addressOf({ permalink, link, key, base }: Parameters<SkipList["add"]>[1]): string | null {
  const url = webAddress(permalink, base) ?? webAddress(link, base) ?? keyOf(key);
  return url !== null && url.length <= MAX_URL ? url : null;
}

import type { PageOptions } from "./pages.ts";
import type { CallOptions } from "./request.ts";

export type Read = (input: object, call: CallOptions) => Promise<Record<string, unknown>>;

/** Yields the items of a paged list, page by page. */
export async function* walk(
  read: Read,
  list: string,
  input: object,
  { max = Infinity, ...call }: PageOptions,
): AsyncGenerator<unknown, void> {
  // An item whose position changes in the meantime, as in the hot feed, can be on two pages.
  const seen = new Set<unknown>();
  const usedCursors = new Set<unknown>([null, undefined]);
  let page = input;
  while (seen.size < max) {
    const { [list]: items, nextCursor } = await read(page, call);
    for (const item of items as { id?: unknown }[]) {
      const key = item.id ?? item;
      if (seen.has(key)) continue;
      seen.add(key);
      yield item;
      if (seen.size >= max) return;
    }
    // A repeated cursor would loop forever.
    if (usedCursors.has(nextCursor)) return;
    usedCursors.add(nextCursor);
    page = { ...input, cursor: nextCursor };
  }
}

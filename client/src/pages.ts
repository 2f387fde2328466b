import type { ResponseOf } from "@tandem/contract/operation";
import type { OperationName, Operations } from "@tandem/contract/operations";
import { routes } from "@tandem/contract/routes";
import type { Methods, Sent, SentWithFields, Trimmed } from "./client.ts";
import type { CallOptions } from "./request.ts";

export interface PageOptions extends CallOptions {
  /** The maximum number of items; unlimited by default. */
  max?: number;
}

type Paged = {
  [N in OperationName]: ResponseOf<Operations[N]> extends { nextCursor: number | null } ? N : never;
}[OperationName];

type ItemOf<A> = { [K in keyof A]: A[K] extends (infer Item)[] ? Item : never }[keyof A];

type Walk<O> =
  Record<never, never> extends Sent<O>
    ? <Fields extends string = never>(
        input?: SentWithFields<O, Fields>,
        options?: PageOptions,
      ) => AsyncGenerator<Trimmed<ItemOf<ResponseOf<O>>, Fields>, void>
    : <Fields extends string = never>(
        input: SentWithFields<O, Fields>,
        options?: PageOptions,
      ) => AsyncGenerator<Trimmed<ItemOf<ResponseOf<O>>, Fields>, void>;

/** For each paged list, an iterator over its items. A page is fetched when its first item is needed. */
export type Pages = { [N in Paged]: Walk<Operations[N]> };

type Read = (input: object, call: CallOptions) => Promise<Record<string, unknown>>;

export function pagesOf(methods: Methods): Pages {
  const walks = Object.entries(routes).flatMap(([name, { pages }]) =>
    pages === null ? [] : [[name, walkOf(methods[name as Paged] as Read, pages)]],
  );
  return Object.fromEntries(walks) as Pages;
}

function walkOf(read: Read, list: string) {
  return async function* (input: object = {}, { max = Infinity, ...call }: PageOptions = {}) {
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
  };
}

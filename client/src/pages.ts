import type { Answer } from "@tandem/contract/operation";
import type { OperationName, Operations } from "@tandem/contract/operations";
import { routes } from "@tandem/contract/routes";
import type { Methods, Sent, Trimmed, Trimming } from "./client.ts";
import type { CallOptions } from "./request.ts";

export interface PageOptions extends CallOptions {
  /** Ends after so many items; with the list, if left out. */
  max?: number;
}

type Paged = {
  [N in OperationName]: Answer<Operations[N]> extends { nextCursor: number | null } ? N : never;
}[OperationName];

type ItemOf<A> = { [K in keyof A]: A[K] extends (infer Item)[] ? Item : never }[keyof A];

type Walk<O> =
  Record<never, never> extends Sent<O>
    ? <Fields extends string = never>(
        input?: Trimming<O, Fields>,
        options?: PageOptions,
      ) => AsyncGenerator<Trimmed<ItemOf<Answer<O>>, Fields>, void>
    : <Fields extends string = never>(
        input: Trimming<O, Fields>,
        options?: PageOptions,
      ) => AsyncGenerator<Trimmed<ItemOf<Answer<O>>, Fields>, void>;

/** For each list that has pages, its items one by one. A page is asked for when its first item is. */
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
    // An item that moves while one walks, as in the hot feed, may show on two pages.
    const seen = new Set<unknown>();
    const followed = new Set<unknown>([null, undefined]);
    let page = input;
    while (seen.size < max) {
      const { [list]: items, nextCursor } = await read(page, call);
      for (const item of items as { id?: unknown }[]) {
        const name = item.id ?? item;
        if (seen.has(name)) continue;
        seen.add(name);
        yield item;
        if (seen.size >= max) return;
      }
      // A cursor that leads back would lead there forever.
      if (followed.has(nextCursor)) return;
      followed.add(nextCursor);
      page = { ...input, cursor: nextCursor };
    }
  };
}

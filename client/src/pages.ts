import type { ResponseOf } from "@tandem/contract/operation";
import type { OperationName, Operations } from "@tandem/contract/operations";
import { routes } from "@tandem/contract/routes";
import type { Methods, Sent, SentWithFields, Trimmed } from "./client.ts";
import type { CallOptions } from "./request.ts";
import type { Read } from "./walk.ts";

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

export function pagesOf(methods: Methods): Pages {
  const walks = Object.entries(routes).flatMap(([name, { pages }]) =>
    pages === null ? [] : [[name, walkOf(methods[name as Paged] as Read, pages)]],
  );
  return Object.fromEntries(walks) as Pages;
}

function walkOf(read: Read, list: string) {
  return async function* (input: object = {}, options: PageOptions = {}) {
    // Loaded on first use, because most pages in browsers need none.
    const { walk } = await import("./walk.ts");
    yield* walk(read, list, input, options);
  };
}

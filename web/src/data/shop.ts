import type { Client, Sent } from "@tandem/client";
import type { Operations } from "@tandem/contract/operations";
import type { Product } from "@tandem/contract/resources";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { pageCursor, paging } from "./pagination.ts";

interface Page {
  products: Product[];
  nextCursor: number | null;
}

/** What of the shop is wanted, in the words of the address. A `cursor` is where the first page begins. */
export type ShopFilters = Pick<Sent<Operations["listProducts"]>, "category" | "cursor">;

export const productsQuery = (api: Client, filters: ShopFilters = {}) =>
  infiniteQueryOptions({
    queryKey: ["products", "all", filters],
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      api.listProducts({ ...filters, ...pageCursor(pageParam) }, { signal }),
    ...paging,
  });

/** The reader's own, with their addresses as they are. */
export const ownProductsQuery = (api: Client) =>
  infiniteQueryOptions({
    queryKey: ["products", "mine"],
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      api.listProducts({ mine: 1, ...pageCursor(pageParam) }, { signal }),
    ...paging,
  });

export const productsKey = ["products"];

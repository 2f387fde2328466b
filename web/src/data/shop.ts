import type { FlatClient, Sent } from "@tandem/client";
import type { Operations } from "@tandem/contract/operations";
import type { Product } from "@tandem/contract/post-resources";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { pageCursor, paging } from "./pagination.ts";

interface Page {
  products: Product[];
  nextCursor: number | null;
}

/** Filters of the shop, named as in the URL. `cursor` is where the first page starts. */
export type ShopFilters = Pick<Sent<Operations["listProducts"]>, "category" | "cursor">;

export const productsQuery = (api: FlatClient, filters: ShopFilters = {}) =>
  infiniteQueryOptions({
    queryKey: ["products", "all", filters],
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      api.listProducts({ ...filters, ...pageCursor(pageParam) }, { signal }),
    ...paging,
  });

/** The reader's own products, with their original URLs instead of click-counting ones. */
export const ownProductsQuery = (api: FlatClient) =>
  infiniteQueryOptions({
    queryKey: ["products", "mine"],
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      api.listProducts({ mine: 1, ...pageCursor(pageParam) }, { signal }),
    ...paging,
  });

export const productsKey = ["products"];

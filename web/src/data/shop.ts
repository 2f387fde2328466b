import type { Client } from "@tandem/client";
import type { Product } from "@tandem/contract/resources";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { from, paging } from "./lists.ts";

interface Page {
  products: Product[];
  nextCursor: number | null;
}

export const productsQuery = (api: Client) =>
  infiniteQueryOptions({
    queryKey: ["products", "all"],
    queryFn: ({ pageParam, signal }): Promise<Page> => api.listProducts(from(pageParam), { signal }),
    ...paging,
  });

/** The reader's own, with their addresses as they are. */
export const ownProductsQuery = (api: Client) =>
  infiniteQueryOptions({
    queryKey: ["products", "mine"],
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      api.listProducts({ mine: 1, ...from(pageParam) }, { signal }),
    ...paging,
  });

export const productsKey = ["products"];

import type { FlatClient } from "@tandem/client";
import type { Product } from "@tandem/contract/post-resources";
import { queryOptions } from "@tanstack/react-query";

/** How many of the latest products are offered. */
const OFFERED = 200;

/** The reader's own products, newest first. */
export const ownProductsQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: ["products", "own"],
    queryFn: async ({ signal }): Promise<Product[]> => {
      const products: Product[] = [];
      for await (const product of api.pages.listProducts({ mine: 1 }, { signal, max: OFFERED }))
        products.push(product);
      return products;
    },
  });

import type { FlatClient, Sent } from "@tandem/client";
import type { Operations } from "@tandem/contract/operations";
import { queryOptions } from "@tanstack/react-query";

const MOST = 10;
/** Set once the server has said that it doesn't find posts by meaning, so that it isn't asked on every page. */
const offKey = ["similar", "off"];

/** Posts that mean something similar, the most similar first. Empty on servers that don't find posts by meaning. */
export const similarQuery = (
  api: FlatClient,
  to: Omit<Sent<Operations["listSimilarPosts"]>, "fields" | "limit">,
) =>
  queryOptions({
    queryKey: ["posts", "similar", to],
    queryFn: async ({ client, signal }) => {
      if (client.getQueryData(offKey)) return [];
      const { posts, available } = await api.listSimilarPosts({ ...to, limit: MOST }, { signal });
      if (!available) client.setQueryData(offKey, true);
      return posts;
    },
    staleTime: Number.POSITIVE_INFINITY,
    // It adds to a page that is complete without it.
    retry: false,
  });

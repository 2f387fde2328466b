import type { FlatClient } from "@tandem/client";
import { queryOptions } from "@tanstack/react-query";

/** Live streams that are on now. */
export const livesQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: ["lives"],
    queryFn: async ({ signal }) => (await api.listLives(undefined, { signal })).lives,
  });

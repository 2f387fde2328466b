import type { Client } from "@tandem/client";
import { queryOptions } from "@tanstack/react-query";

/** Live streams that are on now. */
export const livesQuery = (api: Client) =>
  queryOptions({
    queryKey: ["lives"],
    queryFn: async ({ signal }) => (await api.listLives(undefined, { signal })).lives,
  });

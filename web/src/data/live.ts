import type { Client } from "@tandem/client";
import { queryOptions } from "@tanstack/react-query";

/** Milliseconds between two looks at who is on air. */
const EVERY = 5_000;

export const livesQuery = (api: Client) =>
  queryOptions({
    queryKey: ["lives"],
    queryFn: async ({ signal }) => (await api.listLives({}, { signal })).lives,
    refetchInterval: EVERY,
    staleTime: EVERY,
  });

import type { FlatClient } from "@tandem/client";
import { queryOptions } from "@tanstack/react-query";

/** As long as the server keeps them. */
const STALE_TIME = 600_000;

/** The comments of an imported post at its origin. `all` includes those that the reader's preference hides. */
export const originCommentsQuery = (api: FlatClient, id: number, all: boolean) =>
  queryOptions({
    queryKey: ["origin-comments", id, all],
    queryFn: ({ signal }) =>
      api.listOriginComments({ id, ...(all && { ai: "show" as const, muted: "show" as const }) }, { signal }),
    staleTime: STALE_TIME,
    retry: false,
  });

import type { FlatClient } from "@tandem/client";
import { queryOptions } from "@tanstack/react-query";

export const transparencyQuery = (api: FlatClient, days: number) =>
  queryOptions({
    queryKey: ["transparency", days],
    queryFn: async ({ signal }) => (await api.readTransparency({ days }, { signal })).transparency,
  });

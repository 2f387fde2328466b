import type { Client } from "@tandem/client";
import { queryOptions } from "@tanstack/react-query";

export const transparencyQuery = (api: Client, days: number) =>
  queryOptions({
    queryKey: ["transparency", days],
    queryFn: async ({ signal }) => (await api.readTransparency({ days }, { signal })).transparency,
  });

import type { Client } from "@tandem/client";
import { queryOptions } from "@tanstack/react-query";

/** The posts that were gathered of the same link as this one, itself among them. */
export const storyQuery = (api: Client, id: number) =>
  queryOptions({
    queryKey: ["story", id],
    queryFn: async ({ signal }) => (await api.listStory({ id }, { signal })).posts,
  });

import type { FlatClient } from "@tandem/client";
import { queryOptions } from "@tanstack/react-query";

/** All imported posts with the same link, including this one. */
export const storyQuery = (api: FlatClient, id: number) =>
  queryOptions({
    queryKey: ["story", id],
    queryFn: async ({ signal }) => (await api.listStory({ id }, { signal })).posts,
  });

import type { FlatClient } from "@tandem/client";
import { queryOptions } from "@tanstack/react-query";

/** The first steps of a person who is new here, and which are done. */
export const checklistQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: ["checklist"],
    queryFn: async ({ signal }) => (await api.readChecklist(undefined, { signal })).checklist,
  });

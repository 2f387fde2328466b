import type { FlatClient } from "@tandem/client";
import type { Draft } from "@tandem/contract/drafts";
import { type InfiniteData, infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { nullIfMissing } from "./null-if-missing.ts";
import { pageCursor, paging } from "./pagination.ts";

interface Page {
  drafts: Draft[];
  nextCursor: number | null;
}

/** The reader's unpublished drafts, and those of their agents, newest first. */
export const draftsQuery = (api: FlatClient) =>
  infiniteQueryOptions({
    queryKey: ["drafts", "list"],
    queryFn: ({ pageParam, signal }): Promise<Page> => api.listDrafts(pageCursor(pageParam), { signal }),
    ...paging,
  });

export const draftsOf = ({ pages }: Pick<InfiniteData<Page>, "pages">): Draft[] =>
  pages.flatMap(({ drafts }) => drafts);

/** One draft; null if it doesn't exist. */
export const draftQuery = (api: FlatClient, id: number) =>
  queryOptions({
    queryKey: ["drafts", "one", id],
    queryFn: async ({ signal }) => (await nullIfMissing(api.readDraft({ id }, { signal })))?.draft ?? null,
  });

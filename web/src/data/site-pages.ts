import type { FlatClient } from "@tandem/client";
import type { SitePageName } from "@tandem/contract/site-pages";
import { queryOptions } from "@tanstack/react-query";
import { nullIfMissing } from "./null-if-missing.ts";

export const sitePagesKey = ["site-pages"];

/** The names of the pages that the operator has written. */
export const sitePagesQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: sitePagesKey,
    queryFn: async ({ signal }) => (await api.listSitePages({}, { signal })).pages.map(({ name }) => name),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** A page that the operator has written; null if there is none. */
export const sitePageQuery = (api: FlatClient, name: SitePageName) =>
  queryOptions({
    queryKey: [...sitePagesKey, name],
    queryFn: async ({ signal }) =>
      (await nullIfMissing(api.readSitePage({ name }, { signal })))?.page ?? null,
  });

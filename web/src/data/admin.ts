import type { FlatClient } from "@tandem/client";
import type { TargetKind } from "@tandem/contract/moderation-names";
import type { Role } from "@tandem/contract/resources";
import type { SourceState } from "@tandem/contract/sources";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { AddressValues } from "../shared/page.ts";
import { pageCursor, paging } from "./pagination.ts";

/** The prefix of all admin query keys. Invalidate it after any admin action. */
export const adminKey = ["admin"] as const;

export const statisticsQuery = (api: FlatClient, days: number) =>
  queryOptions({
    queryKey: [...adminKey, "numbers", days],
    queryFn: async ({ signal }) => (await api.readNumbers({ days }, { signal })).days,
  });

export const casesQuery = (api: FlatClient, { state, kind, for: audience }: AddressValues) =>
  infiniteQueryOptions({
    queryKey: [...adminKey, "cases", state, kind, audience],
    queryFn: ({ pageParam, signal }) =>
      api.listCases(
        {
          ...pageCursor(pageParam),
          ...(state === "resolved" && { state }),
          ...(kind && { kind: kind as TargetKind }),
          ...(audience === "admins" && { forAdmins: 1 as const }),
        },
        { signal },
      ),
    ...paging,
  });

export const appealsQuery = (api: FlatClient) =>
  infiniteQueryOptions({
    queryKey: [...adminKey, "appeals"],
    queryFn: ({ pageParam, signal }) => api.listAppeals(pageCursor(pageParam), { signal }),
    ...paging,
  });

export const repeatedPostsQuery = (api: FlatClient) =>
  infiniteQueryOptions({
    queryKey: [...adminKey, "repeats"],
    queryFn: ({ pageParam, signal }) => api.listRepeatedPosts(pageCursor(pageParam), { signal }),
    ...paging,
  });

export const signUpsQuery = (api: FlatClient) =>
  infiniteQueryOptions({
    queryKey: [...adminKey, "signups"],
    queryFn: ({ pageParam, signal }) => api.listSignUps(pageCursor(pageParam), { signal }),
    ...paging,
  });

export const allInvitationsQuery = (api: FlatClient) =>
  infiniteQueryOptions({
    queryKey: [...adminKey, "invitations"],
    queryFn: ({ pageParam, signal }) => api.listAllInvitations(pageCursor(pageParam), { signal }),
    ...paging,
  });

export const accountsQuery = (api: FlatClient, { q, role, suspended }: AddressValues) =>
  infiniteQueryOptions({
    queryKey: [...adminKey, "accounts", q, role, suspended],
    queryFn: ({ pageParam, signal }) =>
      api.listAccounts(
        {
          ...pageCursor(pageParam),
          ...(q && { q }),
          ...(role && { role: role as Role }),
          ...(suspended === "1" && { suspended: 1 as const }),
        },
        { signal },
      ),
    ...paging,
  });

export const accountQuery = (api: FlatClient, id: number) =>
  queryOptions({
    queryKey: [...adminKey, "account", id],
    queryFn: ({ signal }) => api.readAccount({ id }, { signal }),
  });

export const sourcesQuery = (api: FlatClient, { q, state }: AddressValues) =>
  infiniteQueryOptions({
    queryKey: [...adminKey, "sources", q, state],
    queryFn: ({ pageParam, signal }) =>
      api.listSources(
        {
          ...pageCursor(pageParam),
          ...(q && { q }),
          ...(state && { state: state as SourceState }),
        },
        { signal },
      ),
    ...paging,
  });

export const sourceQuery = (api: FlatClient, id: number) =>
  queryOptions({
    queryKey: [...adminKey, "source", id],
    queryFn: ({ signal }) => api.readSource({ id }, { signal }),
  });

/** The newest posts of a source. */
export const sourcePostsQuery = (api: FlatClient, id: number) =>
  queryOptions({
    queryKey: [...adminKey, "source", id, "posts"],
    queryFn: async ({ signal }) => (await api.listPosts({ sourceId: id, limit: 5 }, { signal })).posts,
  });

export const blockedLinksQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: [...adminKey, "denied"],
    queryFn: async ({ signal }) => (await api.listDeniedLinks({}, { signal })).hosts,
  });

export const auditQuery = (api: FlatClient, { actor, target }: AddressValues) =>
  infiniteQueryOptions({
    queryKey: [...adminKey, "audit", actor, target],
    queryFn: ({ pageParam, signal }) =>
      api.listAudit(
        { ...pageCursor(pageParam), ...(actor && { actor }), ...(target && { target }) },
        { signal },
      ),
    ...paging,
  });

export const settingsQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: [...adminKey, "settings"],
    queryFn: async ({ signal }) => (await api.readSettings({}, { signal })).settings,
  });

import type { FlatClient } from "@tandem/client";
import type { Import } from "@tandem/contract/imports";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { pageCursor, paging } from "./pagination.ts";

/** Two-factor authentication, password and email status. */
export const securityQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: ["account", "security"],
    queryFn: async ({ signal }) => (await api.readSecurity(undefined, { signal })).security,
  });

/** The account's active sessions. */
export const sessionsQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: ["account", "sessions"],
    queryFn: async ({ signal }) => (await api.listSessions(undefined, { signal })).sessions,
  });

export const passkeysQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: ["account", "passkeys"],
    queryFn: async ({ signal }) => (await api.listPasskeys(undefined, { signal })).passkeys,
  });

/** Milliseconds between two polls while an export is being created. */
const POLL_INTERVAL = 2_000;

export const exportQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: ["account", "export"],
    queryFn: ({ signal }) => api.readExport(undefined, { signal }),
    refetchInterval: ({ state }) => (state.data?.state === "working" ? POLL_INTERVAL : false),
  });

export const importsQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: ["account", "imports"],
    queryFn: async ({ signal }) => (await api.listImports(undefined, { signal })).imports,
    refetchInterval: ({ state }) => (state.data?.some(isUnfinished) ? POLL_INTERVAL : false),
  });

/** Whether the service still works on an import. Until then, no other can be started. */
export const isUnfinished = ({ state }: Import): boolean =>
  state === "waiting" || state === "working" || state === "undoing";

/** What an import looked for that isn't here. Not read again with the list of imports: that of one just undone is gone. */
export const missingQuery = (api: FlatClient, id: number) =>
  queryOptions({
    queryKey: ["account", "missing", id],
    queryFn: async ({ signal }) => (await api.listMissing({ id }, { signal })).missing,
  });

/** Which notification types the reader receives, from people and from agents. */
export const notificationPreferencesQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: ["account", "notify-about"],
    queryFn: ({ signal }) => api.notificationPreferences(undefined, { signal }),
  });

export const webhooksQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: ["webhooks", "list"],
    queryFn: async ({ signal }) => (await api.listWebhooks(undefined, { signal })).webhooks,
  });

/** The accounts that a webhook can be for: the reader's agents. */
export const agentNamesQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: ["webhooks", "agents"],
    queryFn: async ({ signal }) =>
      (await api.listAgents({ fields: "id,username,displayName" }, { signal })).agents,
  });

export const deliveriesQuery = (api: FlatClient, id: number) =>
  infiniteQueryOptions({
    queryKey: ["webhooks", "deliveries", id],
    queryFn: ({ pageParam, signal }) => api.listDeliveries({ id, ...pageCursor(pageParam) }, { signal }),
    ...paging,
  });

/** Moderation decisions about the reader and their agents. */
export const decisionsQuery = (api: FlatClient) =>
  infiniteQueryOptions({
    queryKey: ["standing", "decisions"],
    queryFn: ({ pageParam, signal }) => api.listDecisions(pageCursor(pageParam), { signal }),
    ...paging,
  });

/** The reader's reports, and their outcomes. */
export const reportsQuery = (api: FlatClient) =>
  infiniteQueryOptions({
    queryKey: ["standing", "reports"],
    queryFn: ({ pageParam, signal }) => api.listReports(pageCursor(pageParam), { signal }),
    ...paging,
  });

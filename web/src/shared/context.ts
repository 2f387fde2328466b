import type { I18n } from "@lingui/core";
import type { FlatClient } from "@tandem/client";
import type { QueryClient } from "@tanstack/react-query";
import { createContext, use } from "react";

/** What every page can use: the API client, the query cache and the reader's language. */
export interface AppContext {
  api: FlatClient;
  queryClient: QueryClient;
  i18n: I18n;
  /** The public URL of the service as the service knows it, without a trailing slash. */
  baseUrl: string;
}

export const AppContextHolder = createContext<AppContext | null>(null);

export function useApp(): AppContext {
  const app = use(AppContextHolder);
  if (!app) throw new Error("outside of the app");
  return app;
}

export const useApi = (): FlatClient => useApp().api;

import type { I18n } from "@lingui/core";
import type { Client } from "@tandem/client";
import type { QueryClient } from "@tanstack/react-query";
import { createContext, use } from "react";

/** What every page has at hand: who asks the service, what it answered, and the reader's language. */
export interface AppContext {
  api: Client;
  queryClient: QueryClient;
  i18n: I18n;
  /** The service's address as the world knows it, without a slash at its end. */
  baseUrl: string;
}

export const AppContextHolder = createContext<AppContext | null>(null);

export function useApp(): AppContext {
  const app = use(AppContextHolder);
  if (!app) throw new Error("outside of the app");
  return app;
}

export const useApi = (): Client => useApp().api;

import type { QueryClient } from "@tanstack/react-query";

const key = ["server-time"];

/** When the server rendered the page, in milliseconds. Relative times count from it until hydration. */
export const serverTime = (queryClient: QueryClient): number => queryClient.getQueryData(key) ?? Date.now();

export const setServerTime = (queryClient: QueryClient, now: number): void =>
  void queryClient.setQueryData(key, now);

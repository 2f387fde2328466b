import type { QueryClient } from "@tanstack/react-query";

const key = ["drawn"];

/** When the service drew the page, in milliseconds of its clock: until it is alive, its moments are told from then. */
export const serverTime = (queryClient: QueryClient): number => queryClient.getQueryData(key) ?? Date.now();

export const setServerTime = (queryClient: QueryClient, now: number): void =>
  void queryClient.setQueryData(key, now);

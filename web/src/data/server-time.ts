import type { QueryClient } from "@tanstack/react-query";

const key = ["drawn"];

/** When the service drew the page, in milliseconds of its clock: until it is alive, its moments are told from then. */
export const drawnAt = (data: QueryClient): number => data.getQueryData(key) ?? Date.now();

export const keepDrawnAt = (data: QueryClient, now: number): void => void data.setQueryData(key, now);

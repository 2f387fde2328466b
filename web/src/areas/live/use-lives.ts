import { useQuery } from "@tanstack/react-query";
import { livesQuery } from "../../data/lives.ts";
import { useApi } from "../../shared/context.ts";

/** Milliseconds between two polls. */
const POLL_INTERVAL = 5_000;

/** The current live streams, polled. */
export const useLives = () =>
  useQuery({ ...livesQuery(useApi()), refetchInterval: POLL_INTERVAL, staleTime: POLL_INTERVAL });

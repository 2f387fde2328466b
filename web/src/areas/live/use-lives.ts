import { useQuery } from "@tanstack/react-query";
import { livesQuery } from "../../data/lives.ts";
import { useApi } from "../../shared/context.ts";

/** Milliseconds between two looks at who is on air. */
const POLL_INTERVAL = 5_000;

/** Who is on air, as long as one looks. */
export const useLives = () =>
  useQuery({ ...livesQuery(useApi()), refetchInterval: POLL_INTERVAL, staleTime: POLL_INTERVAL });

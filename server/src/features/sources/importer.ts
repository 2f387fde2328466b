import { sql } from "kysely";
import { memoizePerInstance } from "../../http/memoize-per-instance.ts";
import type { Services } from "../../http/services.ts";
import { Poller } from "./poller.ts";
import { countVisits } from "./source-metrics.ts";

/** One per service: it remembers when it last requested each host. */
const importerOf = memoizePerInstance((services: Services) => ({
  poller: new Poller(services),
  count: countVisits(services),
}));

/** Visits all sources that are due. */
export function visitSources(services: Services, signal: AbortSignal): Promise<void> {
  const { poller, count } = importerOf(services);
  return poller.run(signal, count);
}

/** Milliseconds after which the background job takes over. */
const AFTER_RESPONSE = 20_000;

/** Visits the sources with new announcements that are due and that no process is visiting. */
export function visitPushed(services: Services): Promise<void> {
  const { poller, count } = importerOf(services);
  const isAnnounced = sql<boolean>`pushed_at > coalesce(polled_at, 0)`;
  return poller.run(AbortSignal.timeout(AFTER_RESPONSE), count, isAnnounced);
}

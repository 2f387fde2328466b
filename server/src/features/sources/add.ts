import { limits } from "@tandem/contract/limits";
import type { OriginPlatform } from "@tandem/contract/origins";
import { beginVisit, CrawlPolicy } from "../../crawl/visit.ts";
import { ApiError } from "../../http/api-error.ts";
import type { Services } from "../../http/services.ts";
import { OriginError, type SourceAddress } from "../../origins/connector.ts";
import { discover } from "../../origins/discover.ts";
import { OutgoingError } from "../../outgoing/outgoing-error.ts";
import type { Db } from "../../storage/storage.ts";
import { intervals } from "./schedule.ts";
import type { SourceRecord } from "./sources.queries.ts";

/** Milliseconds allowed for finding out what an address is. */
const TIMEOUT = 30_000;

export interface DiscoveredSource extends SourceAddress {
  platform: OriginPlatform;
}

/** Finds the platform and the feed behind an address. Throws `invalid_source` if nothing can be imported from it. */
export async function discoverSource(services: Services, url: string): Promise<DiscoveredSource> {
  const { fetch } = beginVisit(
    services,
    new CrawlPolicy(services, 0, false),
    [],
    AbortSignal.timeout(TIMEOUT),
  );
  try {
    const found = await discover(url, fetch);
    return { ...found.place, platform: found.connector.platform };
  } catch (error) {
    if (error instanceof OriginError || error instanceof OutgoingError) throw invalidSource(error.message);
    if (error instanceof DOMException)
      throw invalidSource("The address didn't respond in time. Try again later.");
    throw error;
  }
}

/** Throws `invalid_source` if the address is already a source. */
export async function addSource(
  tx: Db,
  found: DiscoveredSource,
  now: number,
  enabled = true,
): Promise<SourceRecord> {
  const { platform, name, url, community } = found;
  if (url.length > limits.url) throw invalidSource(`The address is longer than ${limits.url} characters.`);
  const row = await tx
    .insertInto("sources")
    .values({
      ...{ platform, name, url, community },
      ...{ enabled: enabled ? 1 : 0, state: "new", due_at: enabled ? now : null },
      ...{ interval_ms: intervals.first, created_at: now },
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? rejectKnown(tx, found);
}

async function rejectKnown(tx: Db, { platform, url }: DiscoveredSource): Promise<never> {
  const existing = await tx
    .selectFrom("sources")
    .select(["id", "state"])
    .where("platform", "=", platform)
    .where("url", "=", url)
    .executeTakeFirst();
  if (existing?.state === "removing")
    throw invalidSource(`This source (number ${existing.id}) is being removed. Try again later.`);
  throw invalidSource(`This is already a source${existing ? `: number ${existing.id}` : ""}.`);
}

function invalidSource(message: string): ApiError {
  return new ApiError("invalid_source", message, { field: "url" });
}

import { limits } from "@tandem/contract/limits";
import type { OriginPlatform } from "@tandem/contract/origins";
import { beginVisit, CrawlPolicy } from "../../crawl/ask.ts";
import { ApiError } from "../../http/api-error.ts";
import type { Services } from "../../http/services.ts";
import { OriginError, type SourceAddress } from "../../origins/connector.ts";
import { discover } from "../../origins/discover.ts";
import { OutgoingError } from "../../outgoing/outgoing-error.ts";
import type { Db } from "../../storage/storage.ts";
import { intervals } from "./schedule.ts";
import type { SourceFigures } from "./sources.queries.ts";

/** Milliseconds that it may take to find out what an address is. */
const PATIENCE = 30_000;

export interface Found extends SourceAddress {
  platform: OriginPlatform;
}

/** What can be gathered from an address, whichever platform it is of. Throws `invalid_source` where nothing can. */
export async function findOut(services: Services, url: string): Promise<Found> {
  const manners = new CrawlPolicy(0);
  const { ask } = beginVisit(services, manners, [], AbortSignal.timeout(PATIENCE));
  try {
    const found = await discover(url, ask);
    return { ...found.place, platform: found.connector.platform };
  } catch (error) {
    if (error instanceof OriginError || error instanceof OutgoingError) throw refused(error.message);
    if (error instanceof DOMException) throw refused("The address doesn't answer in time.");
    throw error;
  }
}

/** Throws `invalid_source` where it is a source already. */
export async function addSource(tx: Db, found: Found, now: number, enabled = true): Promise<SourceFigures> {
  const { platform, name, url, community } = found;
  if (url.length > limits.url) throw refused("The address is too long.");
  const row = await tx
    .insertInto("sources")
    .values({
      ...{ platform, name, url, community },
      ...{ enabled: enabled ? 1 : 0, state: "new", next_at: enabled ? now : null },
      ...{ interval_ms: intervals.first, created_at: now },
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? refuseKnown(tx, found);
}

async function refuseKnown(tx: Db, { platform, url }: Found): Promise<never> {
  const known = await tx
    .selectFrom("sources")
    .select(["id", "state"])
    .where("platform", "=", platform)
    .where("url", "=", url)
    .executeTakeFirst();
  if (known?.state === "removing")
    throw refused(`It was a source, number ${known.id}, and is being removed just now.`);
  throw refused(`This is a source already${known ? `: number ${known.id}` : ""}.`);
}

function refused(why: string): ApiError {
  return new ApiError("invalid_source", why, { field: "url" });
}

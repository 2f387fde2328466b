import { MAX_ID } from "@tandem/contract/schema";
import { type OpmlSource, opmlOf } from "../../origins/opml/write.ts";
import type { Db } from "../../storage/storage.ts";
import { sourcesBelow } from "./sources.ts";

/** Sources read per statement. */
const BATCH = 1000;

/** All sources with an address as an OPML file, without those that are being removed. */
export async function sourcesOpml(db: Db, now = Date.now()): Promise<string> {
  const sources: OpmlSource[] = [];
  for (let below = MAX_ID; ; ) {
    const rows = await sourcesBelow(db, below, null, BATCH);
    for (const { url, state, enabled, ...row } of rows)
      if (url !== null && state !== "removing") sources.push({ ...row, url, enabled: enabled === 1 });
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return opmlOf(sources.reverse(), now);
    below = last.id;
  }
}

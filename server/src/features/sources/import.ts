import { readFile } from "node:fs/promises";
import { limits } from "@tandem/contract/limits";
import { originNames } from "@tandem/contract/origins";
import type { ImportResult } from "@tandem/contract/sources";
import { invalid } from "../../http/api-error.ts";
import type { Handlers } from "../../http/context.ts";
import { webAddress } from "../../origins/clean/address.ts";
import { nameOf } from "../../origins/clean/text.ts";
import { OriginError } from "../../origins/connector.ts";
import { connectors } from "../../origins/connectors.ts";
import { recognizeByAddress } from "../../origins/discover.ts";
import { readOpml } from "../../origins/feeds/parse-in-thread.ts";
import type { OpmlEntry } from "../../origins/opml/read.ts";
import { validateAddress } from "../../outgoing/address-guard.ts";
import { OutgoingError } from "../../outgoing/outgoing-error.ts";
import type { Ranges } from "../../outgoing/public-address.ts";
import type { Db } from "../../storage/storage.ts";
import type { DiscoveredSource } from "./add.ts";
import { intervals } from "./schedule.ts";

export const importing = {
  async importSources(ctx, { file }) {
    const entries = await entriesOf(await readFile(file.path));
    const { outgoingAllow } = ctx.services.config;
    return ctx.write((tx) => importAll(tx, entries, outgoingAllow, ctx.now));
  },
} satisfies Handlers<"importSources">;

/** The feeds of an OPML file, which errors call by `name`. Throws `invalid_input`. */
export async function entriesOf(bytes: Uint8Array, name = "file"): Promise<OpmlEntry[]> {
  const entries = await readOpml(bytes).catch((error) => {
    throw error instanceof OriginError ? invalid("file", `${name} can't be read. ${error.message}`) : error;
  });
  if (entries.length === 0) throw invalid("file", `${name} names no feeds: no outline has an \`xmlUrl\`.`);
  if (entries.length > limits.opmlSources)
    throw invalid("file", `${name} names more than ${limits.opmlSources} feeds. Split it.`);
  return entries;
}

interface Planned {
  source: DiscoveredSource;
  enabled: boolean;
}

/** Adds what isn't a source yet, in a fixed number of statements. Returns a result for each entry, in order. */
export async function importAll(
  tx: Db,
  entries: readonly OpmlEntry[],
  allowed: Ranges,
  now: number,
): Promise<{ added: number; results: ImportResult[] }> {
  const plans = entries.map((entry) => plan(entry, allowed));
  const wanted = new Map(plans.flatMap((one) => ("source" in one ? [[keyOf(one.source), one]] : [])));
  const added = await insertAll(tx, [...wanted.values()], now);
  const stored = await storedAmong(tx, [...wanted.values()]);
  const results = entries.map(({ url, name }, i): ImportResult => {
    const shown = { url: url.slice(0, limits.url), name: nameOf(name) };
    const planned = plans[i] as (typeof plans)[number];
    if (!("source" in planned)) return { ...shown, ...planned, sourceId: null };
    const key = keyOf(planned.source);
    const row = stored.get(key);
    const about = { ...shown, name: planned.source.name, sourceId: row?.id ?? null };
    if (row?.state === "removing")
      return { ...about, result: "refused", message: "This source is being removed. Try again later." };
    // Two entries of the file may be the same source.
    return { ...about, result: added.delete(key) ? "added" : "existing", message: null };
  });
  return { added: results.filter(({ result }) => result === "added").length, results };
}

type Refused = Pick<ImportResult, "result" | "message">;

/** What to add for an entry, by its address alone. */
function plan({ url, name, own }: OpmlEntry, allowed: Ranges): Planned | Refused {
  const address = webAddress(url);
  if (!address) return { result: "invalid", message: "This isn't an http or https address." };
  try {
    validateAddress(address, undefined, allowed);
  } catch (error) {
    if (error instanceof OutgoingError) return { result: "refused", message: error.message };
    throw error;
  }
  const place = own && connectors[own.platform].recognize(new URL(address));
  if (own && place) {
    const community = nameOf(own.community);
    const source = { ...place, platform: own.platform, name: nameOf(name) ?? place.name, community };
    return { source, enabled: own.enabled };
  }
  const { connector, place: found } = recognizeByAddress(new URL(address));
  // Where the address has no name in it, the file's is better than none.
  const isNamed = connector.platform !== "rss" && !connector.name;
  const source = {
    ...found,
    platform: connector.platform,
    ...(!isNamed && { name: nameOf(name) ?? found.name }),
  };
  return { source, enabled: true };
}

const keyOf = ({ platform, url }: Pick<DiscoveredSource, "platform" | "url">): string => `${platform} ${url}`;

/** Adds those that aren't sources yet, and returns their keys. */
async function insertAll(tx: Db, planned: readonly Planned[], now: number): Promise<Set<string>> {
  if (planned.length === 0) return new Set();
  const rows = planned.map(({ source: { platform, name, url, community }, enabled }) => ({
    ...{ platform, name, url, community },
    ...{ enabled: enabled ? 1 : 0, state: "new" as const, due_at: enabled ? now : null },
    ...{ interval_ms: intervals.first, created_at: now },
  }));
  const added = await tx
    .insertInto("sources")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning(["platform", "url"])
    .execute();
  return new Set(added.map(({ platform, url }) => keyOf({ platform, url: url ?? "" })));
}

async function storedAmong(tx: Db, planned: readonly Planned[]) {
  const urls = planned.map(({ source }) => source.url);
  if (urls.length === 0) return new Map<string, never>();
  const rows = await tx
    .selectFrom("sources")
    .select(["id", "state", "platform", "url"])
    .where("platform", "in", originNames)
    .where("url", "in", urls)
    .execute();
  return new Map(rows.map((row) => [keyOf({ platform: row.platform, url: row.url ?? "" }), row]));
}

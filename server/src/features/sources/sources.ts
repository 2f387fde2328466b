import { limits } from "@tandem/contract/limits";
import { MAX_ID } from "@tandem/contract/schema";
import { type Handlers, JsonText, type SignedIn } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { addSource, findOut } from "./add.ts";
import { findSource, type SourceFigures, setSource, toSource } from "./sources.queries.ts";

export const sources = {
  async listSources(ctx, { cursor, state }) {
    const rows = await sourcesBelow(ctx.read, cursor ?? MAX_ID, state ?? null, limits.longList + 1);
    const page = rows.slice(0, limits.longList);
    const next = rows.length > page.length ? (page.at(-1)?.id ?? null) : null;
    return { sources: page.map(toSource), nextCursor: ctx.nextPage(next) };
  },
  async addSource(ctx, { url }) {
    // Nobody is asked for what was done before, or is refused whatever they say.
    const before = await ctx.rehearse(async () => new JsonText("{}"));
    if (before) return before;
    const found = await findOut(ctx.services, url);
    return ctx.write(async (tx) => ({ source: toSource(await addSource(tx, found, ctx.now)) }));
  },
  editSource: (ctx, { id, enabled }) => change(ctx, id, (row) => enabling(row, enabled, ctx.now)),
  removeSource: (ctx, { id }) => change(ctx, id, () => removing(ctx.now)),
  pollSource: (ctx, { id }) => change(ctx, id, (row) => pollingNow(row, ctx.now)),
} satisfies Handlers<"listSources" | "addSource" | "editSource" | "removeSource" | "pollSource">;

/** Of that state, if one is given; the latest first. */
export function sourcesBelow(
  db: Db,
  below: number,
  state: SourceFigures["state"] | null,
  limit: number,
): Promise<SourceFigures[]> {
  return db
    .selectFrom("sources")
    .selectAll()
    .where("id", "<", below)
    .$if(state !== null, (query) => query.where("state", "=", state as SourceFigures["state"]))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

type Change = Partial<SourceFigures>;

function change({ write }: SignedIn, id: number, changes: (row: SourceFigures) => Change) {
  return write(async (tx) => ({ source: toSource(await changeSource(tx, id, changes)) }));
}

/** Changes a source; whoever is visiting it just then comes back to nothing. Throws `not_found`. */
export async function changeSource(
  tx: Db,
  id: number,
  changes: (row: SourceFigures) => Change,
): Promise<SourceFigures> {
  const row = await findSource(tx, id, true);
  const changed = row.state === "removing" ? {} : changes(row);
  return Object.keys(changed).length === 0 ? row : setSource(tx, id, changed);
}

/** What was set aside, or never had an address, is due at once when it is enabled; what is enabled already stays as it is. */
export function enabling(row: SourceFigures, enabled: boolean, now: number): Change {
  if (!enabled) return { enabled: 0, due_at: null, holder: null };
  if (row.enabled === 1 && row.state !== "set_aside") return {};
  const state = row.polled_at === null || row.failures > 0 ? "new" : "working";
  return { enabled: 1, state, failures: 0, holder: null, due_at: row.url === null ? null : now };
}

export function removing(now: number): Change {
  return { enabled: 0, state: "removing", holder: null, due_at: now };
}

/** One that rests goes on resting; one that is being visited just now needn't be visited again. */
export function pollingNow({ enabled, state, holder, url }: SourceFigures, now: number): Change {
  const visited = enabled === 1 && state !== "set_aside" && url !== null && holder === null;
  return visited ? { due_at: now } : {};
}

import { limits } from "@tandem/contract/limits";
import { MAX_ID } from "@tandem/contract/schema";
import type { Source } from "@tandem/contract/sources";
import { sql } from "kysely";
import { type Handlers, JsonText, type SignedIn } from "../../http/context.ts";
import { pageOf } from "../../http/page.ts";
import type { Db } from "../../storage/storage.ts";
import { addSource, discoverSource } from "./add.ts";
import { findSource, type SourceRecord, setSource, toSource } from "./sources.queries.ts";
import { beginsWith } from "./suggestions.ts";
import { lastVisits } from "./visits.ts";
import { endSubscription, pushStates } from "./websub/subscriptions.queries.ts";

export const sources = {
  async listSources(ctx, { cursor, state, q }) {
    const rows = await (q === undefined
      ? sourcesBelow(ctx.read, cursor ?? MAX_ID, state ?? null, limits.longList + 1)
      : sourcesLike(ctx.read, q.trim(), state ?? null));
    const { page, nextCursor } = pageOf(ctx, rows, limits.longList);
    const pushOf = await pushStates(
      ctx.read,
      page.map(({ id }) => id),
      ctx.now,
    );
    return { sources: page.map((row) => toSource(row, pushOf(row.id))), nextCursor };
  },
  async readSource({ read, now }, { id }) {
    const [row, visits, pushOf] = await Promise.all([
      findSource(read, id),
      lastVisits(read, id),
      pushStates(read, [id], now),
    ]);
    return { source: toSource(row, pushOf(id)), visits };
  },
  async addSource(ctx, { url }) {
    // Send no requests if the call is a replay, or will be rejected anyway.
    const replayed = await ctx.rehearse(async () => new JsonText("{}"));
    if (replayed) return replayed;
    const discovered = await discoverSource(ctx.services, url);
    return ctx.write(async (tx) => ({
      source: await shown(tx, await addSource(tx, discovered, ctx.now), ctx.now),
    }));
  },
  editSource: (ctx, { id, enabled }) => change(ctx, id, (row) => enabling(row, enabled, ctx.now)),
  removeSource: (ctx, { id }) => change(ctx, id, () => removing(ctx.now)),
  pollSource: (ctx, { id }) => change(ctx, id, (row) => pollingNow(row, ctx.now)),
} satisfies Handlers<
  "listSources" | "readSource" | "addSource" | "editSource" | "removeSource" | "pollSource"
>;

/** Sources with ids below `below`, of one state if given, newest first. */
export function sourcesBelow(
  db: Db,
  below: number,
  state: SourceRecord["state"] | null,
  limit: number,
): Promise<SourceRecord[]> {
  return db
    .selectFrom("sources")
    .selectAll()
    .where("id", "<", below)
    .$if(state !== null, (query) => query.where("state", "=", state as SourceRecord["state"]))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/** Sources whose name or community begins with this text, in order of their names: as many as fit on a page. */
async function sourcesLike(
  db: Db,
  text: string,
  state: SourceRecord["state"] | null,
): Promise<SourceRecord[]> {
  const ids = (["name", "community"] as const).map((column) => {
    const { key, condition } = beginsWith(db, column, text);
    const ofState = state === null ? sql`` : sql`and coalesce(s.state, null) = ${state}`;
    return sql`select * from (select s.id from sources s where ${condition} ${ofState}
      order by ${key} limit ${limits.longList}) as found`;
  });
  return db
    .selectFrom("sources")
    .selectAll()
    .where("id", "in", sql<number>`(${sql.join(ids, sql` union `)})`)
    .orderBy(sql`lower(name)`)
    .orderBy("id")
    .limit(limits.longList)
    .execute();
}

type Change = Partial<SourceRecord>;

async function shown(tx: Db, row: SourceRecord, now: number): Promise<Source> {
  return toSource(row, (await pushStates(tx, [row.id], now))(row.id));
}

function change({ write, now }: SignedIn, id: number, changes: (row: SourceRecord) => Change) {
  return write(async (tx) => ({ source: await shown(tx, await changeSource(tx, id, changes, now), now) }));
}

/** Changes a source. A visit in progress loses its lease, and its result is discarded. Throws `not_found`. */
export async function changeSource(
  tx: Db,
  id: number,
  changes: (row: SourceRecord) => Change,
  now: number,
): Promise<SourceRecord> {
  const row = await findSource(tx, id, true);
  const values = row.state === "removing" ? {} : changes(row);
  if (values.enabled === 0) await endSubscription(tx, id, now);
  return Object.keys(values).length === 0 ? row : setSource(tx, id, values);
}

/**
 * Enables or disables a source. An enabled source with an address is due immediately. A source that is already enabled
 * doesn't change, unless it was set aside.
 */
export function enabling(row: SourceRecord, enabled: boolean, now: number): Change {
  if (!enabled) return { enabled: 0, due_at: null, holder: null };
  if (row.enabled === 1 && row.state !== "set_aside") return {};
  const state = row.polled_at === null || row.failures > 0 ? "new" : "working";
  return { enabled: 1, state, failures: 0, holder: null, due_at: row.url === null ? null : now };
}

/** Removes a source: the next poll deletes its posts in batches, and then the source. */
export function removing(now: number): Change {
  return { enabled: 0, state: "removing", holder: null, due_at: now };
}

/** Makes a source due now, unless it is disabled, set aside or being visited. */
export function pollingNow({ enabled, state, holder, url }: SourceRecord, now: number): Change {
  const canPoll = enabled === 1 && state !== "set_aside" && url !== null && holder === null;
  return canPoll ? { due_at: now } : {};
}

import type { Source } from "@tandem/contract/sources";
import { type Selectable, sql } from "kysely";
import type { Page } from "../../crawl/ask.ts";
import { notFound } from "../../http/api-error.ts";
import type { SourceRow } from "../../storage/schema/sources.ts";
import type { Db } from "../../storage/storage.ts";

export type SourceFigures = Selectable<SourceRow>;

/** A source as admins see it. */
export function toSource(row: SourceFigures): Source {
  const { id, platform, name, url, community, state, failures, last_error } = row;
  return {
    id,
    platform,
    name,
    url,
    community,
    enabled: row.enabled === 1,
    state,
    intervalSeconds: Math.round(row.interval_ms / 1000),
    failures,
    lastError: last_error,
    nextAt: timeOf(row.next_at),
    polledAt: timeOf(row.polled_at),
    newestAt: timeOf(row.newest_at),
    createdAt: new Date(row.created_at).toISOString(),
  };
}

function timeOf(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}

/** Throws `not_found`. In a transaction that goes on to change it, nobody else's until it ends. */
export async function findSource(db: Db, id: number, lock = false): Promise<SourceFigures> {
  const row = await db
    .selectFrom("sources")
    .selectAll()
    .where("id", "=", id)
    .$if(lock && db.engine.rowLocks, (query) => query.forUpdate())
    .executeTakeFirst();
  if (!row) throw notFound("source");
  return row;
}

export async function setSource(tx: Db, id: number, values: Partial<SourceFigures>): Promise<SourceFigures> {
  return tx.updateTable("sources").set(values).where("id", "=", id).returningAll().executeTakeFirstOrThrow();
}

/**
 * Takes some of the sources that are due, the longest due first; until the lease ends nobody else does. They are due again
 * then, if whoever took them has died.
 */
export async function claimDue(
  tx: Db,
  { now, holder, limit, lease }: { now: number; holder: string; limit: number; lease: number },
): Promise<SourceFigures[]> {
  const due = await tx
    .selectFrom("sources")
    .select("id")
    .where("next_at", "<=", now)
    .orderBy("next_at")
    .orderBy("id")
    .limit(limit)
    .$if(tx.engine.rowLocks, (query) => query.forUpdate().skipLocked())
    .execute();
  if (due.length === 0) return [];
  const ids = tx.engine.oneOf(due.map(({ id }) => id));
  return tx
    .updateTable("sources")
    .set({ holder, next_at: now + lease })
    .where("id", "in", sql<number>`(${ids})`)
    .returningAll()
    .execute();
}

/** Another has taken the source over, or an admin has decided otherwise. */
export class LeaseLostError extends Error {}

/** Lets go of a source that was claimed, with what has become of it. Throws {@link LeaseLostError}. */
export function releaseLease(tx: Db, source: Lease, values: Partial<SourceFigures>): Promise<void> {
  return setHeld(tx, source, { ...values, holder: null });
}

/** Keeps a source that was claimed for longer. Throws {@link LeaseLostError}. */
export function keep(tx: Db, source: Lease, next_at: number): Promise<void> {
  return setHeld(tx, source, { next_at });
}

type Lease = Pick<SourceFigures, "id" | "holder">;

async function setHeld(tx: Db, { id, holder }: Lease, values: Partial<SourceFigures>): Promise<void> {
  const held = await tx
    .updateTable("sources")
    .set(values)
    .where("id", "=", id)
    .where("holder", "=", holder)
    .executeTakeFirst();
  if (held.numUpdatedRows === 0n) throw new LeaseLostError(`source ${id} is another's`);
}

export async function pagesOf(db: Db, sourceId: number): Promise<Page[]> {
  return db
    .selectFrom("source_pages")
    .select(["url", "etag", "last_modified"])
    .where("source_id", "=", sourceId)
    .execute();
}

/** Those of the last visit, and no others: an origin that has a page for each of its items would have ever more of them. */
export async function rememberPages(tx: Db, sourceId: number, pages: Iterable<Page>): Promise<void> {
  const rows = [...pages].map((page) => ({ source_id: sourceId, ...page }));
  const kept = tx.engine.jsonRows(JSON.stringify(rows.map(({ url }) => ({ url }))), { url: "text" });
  await sql`delete from source_pages
    where source_id = ${sourceId} and url not in (select url from (${kept}) as listed)`.execute(tx);
  if (rows.length === 0) return;
  await tx
    .insertInto("source_pages")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["source_id", "url"]).doUpdateSet((eb) => ({
        etag: eb.ref("excluded.etag"),
        last_modified: eb.ref("excluded.last_modified"),
      })),
    )
    .execute();
}

import { MINUTE } from "@tandem/contract/durations";
import type { Source } from "@tandem/contract/sources";
import { sql } from "kysely";
import type { PageValidators } from "../../crawl/visit.ts";
import { notFound } from "../../http/api-error.ts";
import type { Queue, QueueRow } from "../../jobs/queue.ts";
import type { Db } from "../../storage/storage.ts";
import type { PushState } from "./websub/subscriptions.queries.ts";

export type SourceRecord = QueueRow<"sources">;

/** A source, as the API shows it to admins. */
export function toSource(row: SourceRecord, push: PushState): Source {
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
    importedPosts: row.imported,
    failures,
    lastError: last_error,
    nextAt: timeOf(row.due_at),
    polledAt: timeOf(row.polled_at),
    newestAt: timeOf(row.newest_at),
    ...push,
    createdAt: new Date(row.created_at).toISOString(),
  };
}

function timeOf(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}

/** Throws `not_found`. With `lock`, the row is locked until the transaction ends. */
export async function findSource(db: Db, id: number, lock = false): Promise<SourceRecord> {
  const row = await db
    .selectFrom("sources")
    .selectAll()
    .where("id", "=", id)
    .$if(lock && db.engine.rowLocks, (query) => query.forUpdate())
    .executeTakeFirst();
  if (!row) throw notFound("source");
  return row;
}

export async function setSource(tx: Db, id: number, values: Partial<SourceRecord>): Promise<SourceRecord> {
  return tx.updateTable("sources").set(values).where("id", "=", id).returningAll().executeTakeFirstOrThrow();
}

/** The queue of sources to poll or remove. */
export const sourceQueue = {
  kind: "sources",
  table: "sources",
  key: "id",
  // Longer than any visit; removals renew it.
  lease: 5 * MINUTE,
} as const satisfies Queue<"sources">;

export async function pagesOf(db: Db, sourceId: number): Promise<PageValidators[]> {
  return db
    .selectFrom("source_pages")
    .select(["url", "etag", "last_modified"])
    .where("source_id", "=", sourceId)
    .execute();
}

/** Stores the pages of the last visit and forgets the others; some origins have a page for each item. */
export async function rememberPages(
  tx: Db,
  sourceId: number,
  pages: Iterable<PageValidators>,
): Promise<void> {
  const rows = [...pages].map((page) => ({ source_id: sourceId, ...page }));
  const listed = tx.engine.jsonRows(JSON.stringify(rows.map(({ url }) => ({ url }))), { url: "text" });
  await sql`delete from source_pages
    where source_id = ${sourceId} and url not in (select url from (${listed}) as listed)`.execute(tx);
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

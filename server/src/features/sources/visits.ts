import { limits } from "@tandem/contract/limits";
import type { SourceVisit, VisitOutcome } from "@tandem/contract/source-visits";
import type { QueueRow } from "../../jobs/queue.ts";
import type { Ask } from "../../origins/connector.ts";
import type { SkipList, Skipped } from "../../origins/skips.ts";
import type { Db } from "../../storage/storage.ts";
import type { IngestResult } from "./ingest.ts";

/** How a visit ended. */
export interface VisitResult {
  outcome: VisitOutcome;
  counts?: Pick<IngestResult, "seen" | "fresh" | "changed" | "withdrawn">;
  skipped?: SkipList;
  error?: string;
}

/** Measures a visit, and records it in the transaction that releases its source. */
export class VisitRecorder {
  readonly startedAt: number;
  readonly #began = performance.now();
  #requests = 0;
  #bytes = 0;

  constructor(now: number) {
    this.startedAt = now;
  }

  /** Counts the requests and bytes of `ask`. */
  measured(ask: Ask): Ask {
    return async (url, options) => {
      this.#requests += 1;
      const response = await ask(url, options);
      this.#bytes += response.bytes.length;
      return response;
    };
  }

  /** Overwrites the oldest visit that is kept, so that nothing has to be deleted. */
  async record(
    tx: Db,
    { id, visits }: Pick<QueueRow<"sources">, "id" | "visits">,
    { outcome, counts, skipped, error }: VisitResult,
  ): Promise<void> {
    const number = visits + 1;
    const row = {
      number,
      outcome,
      started_at: this.startedAt,
      duration_ms: Math.round(performance.now() - this.#began),
      seen: counts?.seen ?? 0,
      added: counts?.fresh ?? 0,
      changed: counts?.changed ?? 0,
      withdrawn: counts?.withdrawn ?? 0,
      skipped: skipped && skipped.counts.length > 0 ? JSON.stringify(storedSkips(skipped)) : null,
      error: error ?? null,
      requests: this.#requests,
      bytes: this.#bytes,
    };
    await tx.later
      .insertInto("source_visits")
      .values({ source_id: id, slot: number % limits.visitsKept, ...row })
      .onConflict((conflict) => conflict.columns(["source_id", "slot"]).doUpdateSet(row))
      .execute();
  }
}

interface StoredSkips {
  counts: SourceVisit["skipped"];
  examples: Skipped[];
}

function storedSkips({ counts, examples }: SkipList): StoredSkips {
  return { counts, examples };
}

/** The last visits to a source, latest first. */
export async function lastVisits(db: Db, sourceId: number): Promise<SourceVisit[]> {
  const rows = await db
    .selectFrom("source_visits")
    .selectAll()
    .where("source_id", "=", sourceId)
    .orderBy("number", "desc")
    .execute();
  return rows.map(({ number, started_at, duration_ms, outcome, skipped, error, ...counts }) => {
    const { counts: skips, examples } = skipped === null ? none : (JSON.parse(skipped) as StoredSkips);
    const { seen, added, changed, withdrawn, requests, bytes } = counts;
    return {
      number,
      startedAt: new Date(started_at).toISOString(),
      durationMs: duration_ms,
      outcome,
      ...{ seen, added, changed, withdrawn },
      skipped: skips,
      examples,
      ...{ error, requests, bytes },
    };
  });
}

const none: StoredSkips = { counts: [], examples: [] };

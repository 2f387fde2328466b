import { type RawBuilder, sql } from "kysely";
import { ARCHIVED_RANK } from "../../storage/removed.ts";
import type { Condition } from "./feed-filters.ts";
import { isByDate, type Selection } from "./feed-query.ts";

/* In which order a feed is read, and which part of it. */

export function orderBy(s: Pick<Selection, "hot" | "posted">): RawBuilder<unknown> {
  if (s.hot) return sql`p.hot_rank desc, p.id desc`;
  return isByDate(s) ? sql`p.posted_at desc, p.id desc` : sql`p.id desc`;
}

/** The limit is a literal: SQLite plans better with a known number than with a parameter. */
export function window(s: Selection, limit: number): RawBuilder<unknown> {
  return s.hot ? sql`limit ${sql.lit(limit)} offset ${s.skip}` : sql`limit ${sql.lit(limit)}`;
}

/** Spares hot feeds the archived posts, of which one creator can have very many. */
export function aboveArchived({ archived }: Selection): Condition[] {
  return archived === "without" ? [sql`p.hot_rank > ${sql.lit(ARCHIVED_RANK)}`] : [];
}

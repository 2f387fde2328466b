import type { Act, Outcome, TargetKind } from "@tandem/contract/moderation";
import type { Generated } from "kysely";

/* The tables of what moderators decide; see `schema.ts`. */

/** What a removed post was, as far as its own text doesn't say. */
export interface RemovedPostRow {
  post_id: number;
  creator_id: number;
  source_id: number | null;
  story: string | null;
  /** What its origin knows it by. */
  item_key: string | null;
}

/** What was decided about an account, or about what it published; and whether that was appealed. */
export interface DecisionRow {
  id: Generated<number>;
  act: Act;
  /** Whom it concerns; null where that is nobody of ours. */
  user_id: number | null;
  post_id: number | null;
  comment_id: number | null;
  /** How what it is about began. */
  excerpt: string;
  reason: string;
  automated: number;
  /** The key that it was a strike against. */
  key_id: number | null;
  until_at: number | null;
  created_at: number;
  undone_at: number | null;
  appeal: string | null;
  appealed_at: number | null;
  answer: string | null;
  answered_at: number | null;
  accepted: number | null;
}

/** All that was reported of one target until somebody looked into it. */
export interface ReportCaseRow {
  id: Generated<number>;
  kind: TargetKind;
  target_id: number;
  state: "open" | "resolved";
  outcome: Outcome | null;
  reports: number;
  /** How many came since then, of those that count for holding the target back. */
  recent: number;
  recent_since: number;
  created_at: number;
  newest_at: number;
  resolved_at: number | null;
}

export interface ReportRow {
  id: Generated<number>;
  case_id: number;
  reporter_id: number;
  reason: string;
  note: string | null;
  created_at: number;
}

/** An act, chained to the one before: its hash is of all that it says and of that one's hash. */
export interface AuditRow {
  id: number;
  at: number;
  /** Null for the service itself and for the command line. */
  actor_id: number | null;
  actor: string;
  act: string;
  target: string | null;
  /** JSON. */
  detail: string;
  before: string;
  hash: string;
}

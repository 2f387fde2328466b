import type { Act, Outcome, TargetKind } from "@tandem/contract/moderation";
import type { Provenance, ProvenanceBasis } from "@tandem/contract/provenance";
import type { Generated } from "kysely";

/** What a removed post needs to be restored, beyond what its fragment contains. */
export interface RemovedPostRow {
  post_id: number;
  creator_id: number;
  source_id: number | null;
  story: string | null;
  /** The item's id at the origin. */
  item_key: string | null;
}

/** A moderator's decision about an account or its content, and the appeal against it. */
export interface DecisionRow {
  id: Generated<number>;
  act: Act;
  /** The account that it concerns; null for the author of an imported post. */
  user_id: number | null;
  post_id: number | null;
  comment_id: number | null;
  /** The community whose moderators decided; null for the service. */
  community_id: Generated<number | null>;
  /** The start of the content's text. */
  excerpt: string;
  /** Who wrote it, as its content was marked then; null if that isn't known, and if it is a username. */
  excerpt_provenance: Generated<Provenance | null>;
  excerpt_provenance_basis: Generated<ProvenanceBasis | null>;
  reason: string;
  automated: number;
  until_at: number | null;
  created_at: number;
  undone_at: number | null;
  appeal: string | null;
  appealed_at: number | null;
  answer: string | null;
  answered_at: number | null;
  /** Whether the appeal was accepted; null until it is answered. */
  accepted: number | null;
}

/** All reports of one target until a moderator resolves them. */
export interface ReportCaseRow {
  id: Generated<number>;
  kind: TargetKind;
  target_id: number;
  state: "open" | "resolved";
  outcome: Outcome | null;
  reports: number;
  /** Reports since `recent_since` that count towards hiding the target automatically. */
  recent: number;
  recent_since: number;
  created_at: number;
  newest_at: number;
  resolved_at: number | null;
  /** The community of this service that the target is in. Its moderators resolve the case, too. */
  community_id: Generated<number | null>;
  /** Whether it is open for the community's moderators; null outside communities. */
  community_state: Generated<"open" | "resolved" | null>;
  /** What they decided. */
  community_outcome: Generated<Outcome | null>;
  /** Whether the service's admins have to decide: always outside communities, else if a report asks for it or says that it is illegal. */
  for_admins: Generated<number>;
  /** Whether a report says that it is illegal. */
  illegal: Generated<number>;
}

export interface ReportRow {
  id: Generated<number>;
  case_id: number;
  reporter_id: number;
  reason: string;
  note: string | null;
  created_at: number;
}

/** An audit log entry. `hash` covers the entry and `before`, the hash of the entry before it, so that changes show. */
export interface AuditRow {
  id: number;
  at: number;
  /** Null if the service or the command line acted. */
  actor_id: number | null;
  actor: string;
  act: string;
  target: string | null;
  /** JSON. */
  detail: string;
  before: string;
  hash: string;
}

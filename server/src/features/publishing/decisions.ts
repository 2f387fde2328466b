import type { Approval, DraftDecision } from "@tandem/contract/drafts";
import type { Selectable } from "kysely";
import type { DraftDecisionRow, DraftRow } from "../../storage/schema/agents.ts";
import type { Db } from "../../storage/storage.ts";
import { markDecided } from "../notifications/notifications.queries.ts";
import { subjectOf } from "./draft-input.ts";

/* Keeps what became of drafts that waited for approval, since the drafts themselves are deleted. */

export type Decided = Pick<
  Selectable<DraftRow>,
  "id" | "owner_id" | "user_id" | "operation" | "input" | "state" | "approved"
>;

const nothing = { postId: null, commentId: null };

interface Outcome {
  decision: DraftDecision;
  now: number;
  /** What it published, if that isn't what the draft was about. Of a single draft. */
  published?: { postId?: number | null; commentId?: number | null };
}

/**
 * Records what became of an account's drafts that waited for approval, and marks the notifications that asked for it as read. A decision to
 * approve changes as long as the draft is as it was approved: it may be published at its time, or else deleted. Ignores drafts that never
 * waited, and those that changed after they were approved.
 */
export async function recordDecisions(tx: Db, drafts: readonly Decided[], outcome: Outcome): Promise<void> {
  const waiting = drafts.filter(({ state }) => state === "pending");
  const approved = drafts.filter((draft) => draft.state !== "pending" && draft.approved === 1);
  const waited = await decidedAmong(tx, idsOf(approved));
  const decided = [...waiting, ...approved.filter(({ id }) => waited.has(id))];
  if (decided.length === 0) return;
  await tx
    .insertInto("draft_decisions")
    .values(await rowsOf(tx, decided, outcome))
    .onConflict((conflict) =>
      conflict.column("draft_id").doUpdateSet((eb) => ({
        decision: eb.ref("excluded.decision"),
        post_id: eb.ref("excluded.post_id"),
        comment_id: eb.ref("excluded.comment_id"),
        decided_at: eb.ref("excluded.decided_at"),
      })),
    )
    .execute();
  const [first] = waiting;
  if (first) await markDecided(tx, { to: first.owner_id, draftIds: idsOf(waiting) });
}

const idsOf = (drafts: readonly Decided[]) => drafts.map(({ id }) => id);

async function decidedAmong(tx: Db, draftIds: readonly number[]): Promise<Set<number>> {
  if (draftIds.length === 0) return new Set();
  const rows = await tx
    .selectFrom("draft_decisions")
    .select("draft_id")
    .where("draft_id", "in", draftIds)
    .execute();
  return new Set(rows.map(({ draft_id }) => draft_id));
}

async function rowsOf(
  tx: Db,
  drafts: readonly Decided[],
  { decision, now, published }: Outcome,
): Promise<DraftDecisionRow[]> {
  const about = drafts.map((draft) => {
    const isGone =
      decision === "approved" && (draft.operation === "deletePost" || draft.operation === "deleteComment");
    return isGone ? nothing : { ...subjectOf(draft), ...published };
  });
  const subjects = await withPosts(tx, about);
  return drafts.map(({ id, user_id, operation }, i) => {
    const { postId: post_id, commentId: comment_id } = subjects[i] ?? nothing;
    return { draft_id: id, user_id, operation, decision, decided_at: now, post_id, comment_id };
  });
}

interface Subject {
  postId: number | null;
  commentId: number | null;
}

/** These with the posts that their comments are on. */
async function withPosts(db: Db, subjects: readonly Subject[]): Promise<Subject[]> {
  const comments = subjects.flatMap(({ postId, commentId }) => (postId === null ? (commentId ?? []) : []));
  const rows =
    comments.length === 0
      ? []
      : await db.selectFrom("comments").select(["id", "post_id"]).where("id", "in", comments).execute();
  const posts = new Map(rows.map(({ id, post_id }) => [id, post_id]));
  return subjects.map(({ postId, commentId }) => ({
    postId: postId ?? posts.get(commentId ?? 0) ?? null,
    commentId,
  }));
}

export interface FoundApproval extends Subject {
  approval: Approval;
}

/** What waits or waited for approval, by the drafts' ids. Unknown if it was decided before decisions were kept. */
export async function readApprovals(
  db: Db,
  draftIds: readonly number[],
): Promise<Map<number, FoundApproval>> {
  if (draftIds.length === 0) return new Map();
  const [decided, waiting] = await Promise.all([
    db.selectFrom("draft_decisions").selectAll().where("draft_id", "in", draftIds).execute(),
    db
      .selectFrom("drafts")
      .select(["id", "operation", "input"])
      .where("id", "in", draftIds)
      .where("state", "=", "pending")
      .execute(),
  ]);
  const subjects = await withPosts(db, waiting.map(subjectOf));
  // What waits again comes last: that is its state.
  return new Map([
    ...decided.map(({ draft_id, operation, decision, post_id, comment_id }): [number, FoundApproval] => [
      draft_id,
      { approval: { operation, state: decision }, postId: post_id, commentId: comment_id },
    ]),
    ...waiting.map(({ id, operation }, i): [number, FoundApproval] => [
      id,
      { approval: { operation, state: "pending" }, ...(subjects[i] ?? nothing) },
    ]),
  ]);
}

import type { Approval, DraftDecision } from "@tandem/contract/drafts";
import type { Selectable } from "kysely";
import type { DraftRow } from "../../storage/schema/agents.ts";
import type { Db } from "../../storage/storage.ts";
import { markDecided } from "../notifications/notifications.queries.ts";
import { subjectOf } from "./draft-subject.ts";

/* Keeps what became of drafts that waited for approval, since the drafts themselves are deleted. */

export type Decided = Pick<
  Selectable<DraftRow>,
  "id" | "owner_id" | "user_id" | "operation" | "input" | "state"
>;

const nothing = { postId: null, commentId: null };

interface Outcome {
  decision: DraftDecision;
  now: number;
  /** What it published, if that isn't what the draft was about. */
  published?: { postId?: number | null; commentId?: number | null };
}

/**
 * Records what became of a draft, if it waited for approval, and marks the notification that asked for it as read. Of one that was
 * approved and waited for its time since, changes the decision.
 */
export async function recordDecision(
  tx: Db,
  draft: Decided,
  { decision, now, published }: Outcome,
): Promise<void> {
  const { id, owner_id, user_id, operation, state } = draft;
  const isGone = decision === "approved" && (operation === "deletePost" || operation === "deleteComment");
  const { postId, commentId } = isGone ? nothing : { ...subjectOf(draft), ...published };
  const about = { post_id: postId ?? (await postOf(tx, commentId)), comment_id: commentId };
  const outcome = { decision, ...about, decided_at: now };
  if (state !== "pending") {
    await tx.updateTable("draft_decisions").set(outcome).where("draft_id", "=", id).execute();
    return;
  }
  await tx
    .insertInto("draft_decisions")
    .values({ draft_id: id, user_id, operation, ...outcome })
    .onConflict((conflict) => conflict.column("draft_id").doUpdateSet(outcome))
    .execute();
  await markDecided(tx, { to: owner_id, draftId: id });
}

async function postOf(tx: Db, commentId: number | null): Promise<number | null> {
  if (commentId === null) return null;
  const comment = await tx
    .selectFrom("comments")
    .select("post_id")
    .where("id", "=", commentId)
    .executeTakeFirst();
  return comment?.post_id ?? null;
}

export interface FoundApproval {
  approval: Approval;
  postId: number | null;
  commentId: number | null;
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
  // What waits again comes last: that is its state.
  return new Map([
    ...decided.map(({ draft_id, operation, decision, post_id, comment_id }): [number, FoundApproval] => [
      draft_id,
      { approval: { operation, state: decision }, postId: post_id, commentId: comment_id },
    ]),
    ...waiting.map(({ id, operation, input }): [number, FoundApproval] => [
      id,
      { approval: { operation, state: "pending" }, ...subjectOf({ operation, input }) },
    ]),
  ]);
}

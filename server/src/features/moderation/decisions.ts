import { limits } from "@tandem/contract/limits";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { MAX_ID } from "@tandem/contract/schema";
import { ApiError, invalid, notFound } from "../../http/api-error.ts";
import type { Handlers, SignedIn } from "../../http/context.ts";
import { pageOf } from "../../http/page.ts";
import type { Db } from "../../storage/storage.ts";
import { lockCommunityById, reopen } from "../communities/communities.queries.ts";
import { increment } from "../shared/daily-stats.ts";
import { liftBan } from "./bans.ts";
import { notifyConcerned, removableComment, removablePost, restore, undoDecision } from "./decide.ts";
import {
  accountAndAgents,
  asDecision,
  type FoundDecision,
  findDecision,
  hasEnded,
  lockDecision,
  selectDecisions,
} from "./decisions.queries.ts";
import { lift } from "./suspensions.ts";

export const decisions = {
  async listDecisions(ctx, { limit = limits.page.default, cursor = MAX_ID }) {
    const rows = await selectDecisions(ctx.read)
      .where("d.user_id", "in", accountAndAgents(ctx.read, ctx.caller.userId))
      .where("d.id", "<", cursor)
      .limit(limit + 1)
      .execute();
    return decisionsIn(ctx, rows, limit);
  },
  async readDecision(ctx, { id }) {
    const row = await findDecision(ctx.read, id);
    await requireConcerned(ctx.read, row, ctx.caller.userId);
    return { decision: asDecision(row, ctx.now) };
  },
  createAppeal: ({ write, caller, now }, { decisionId, text }) =>
    write(async (tx) => {
      const row = await lockDecision(tx, decisionId);
      await requireConcerned(tx, row, caller.userId);
      if (hasEnded(row, now)) throw invalid("decisionId", "This decision is no longer in force.");
      if (row.appealed_at !== null) throw invalid("decisionId", "This decision was already appealed.");
      return { decision: asDecision({ ...row, ...(await addAppeal(tx, decisionId, text, now)) }, now) };
    }),
  async listAppeals(ctx, { limit = limits.page.default, cursor = MAX_ID }) {
    const rows = await selectDecisions(ctx.read)
      .where("d.appealed_at", "is not", null)
      .where("d.answered_at", "is", null)
      .where("d.id", "<", cursor)
      .limit(limit + 1)
      .execute();
    return decisionsIn(ctx, rows, limit);
  },
  answerAppeal: ({ write, now }, input) =>
    write(async (tx) => {
      await answerAppeal(tx, input, now);
      return { decision: asDecision(await findDecision(tx, input.id), now) };
    }),
} satisfies Handlers<"listDecisions" | "readDecision" | "createAppeal" | "listAppeals" | "answerAppeal">;

/** Adds an appeal to a decision that has none. */
export async function addAppeal(
  tx: Db,
  decisionId: number,
  text: string,
  now: number,
): Promise<Pick<FoundDecision, "appeal" | "appealed_at">> {
  const appeal = { appeal: text, appealed_at: now };
  await tx.updateTable("decisions").set(appeal).where("id", "=", decisionId).execute();
  await increment(tx, "appeals/filed", now);
  return appeal;
}

/** Answers an appeal, overturns the decision if the appeal is accepted, and notifies the account. */
export async function answerAppeal(
  tx: Db,
  { id, accept, answer }: Pick<Input<Operations["answerAppeal"]>, "id" | "accept" | "answer">,
  now: number,
): Promise<void> {
  const row = await storeAnswer(tx, id, { answer, accepted: accept ? 1 : 0, answered_at: now });
  if (!accept || row.undone_at !== null) await notifyConcerned(tx, row, now);
  else await overturn(tx, row, now);
}

function decisionsIn(ctx: Pick<SignedIn, "now" | "nextPage">, rows: FoundDecision[], limit: number) {
  const { page, nextCursor } = pageOf(ctx, rows, limit);
  return { decisions: page.map((row) => asDecision(row, ctx.now)), nextCursor };
}

/** Throws `not_found` unless the decision concerns the account or an agent of it. */
async function requireConcerned(db: Db, { user_id }: FoundDecision, userId: number): Promise<void> {
  if (user_id === userId) return;
  const own = accountAndAgents(db, userId).where("id", "=", user_id ?? 0);
  if ((await own.executeTakeFirst()) === undefined) throw notFound("decision");
}

type Answer = Pick<FoundDecision, "answer" | "accepted"> & { answered_at: number };

/** Throws `not_found` if there is no appeal, and `forbidden` if it was already answered. */
async function storeAnswer(tx: Db, id: number, answer: Answer): Promise<FoundDecision> {
  const row = await lockForModeration(tx, id);
  if (row.appealed_at === null) throw notFound("appeal");
  if (row.answered_at !== null) throw new ApiError("forbidden", "This appeal was already answered.");
  await tx.updateTable("decisions").set(answer).where("id", "=", id).execute();
  await increment(tx, answer.accepted === 1 ? "appeals/accepted" : "appeals/rejected", answer.answered_at);
  return { ...row, ...answer };
}

/** Locks the post or comment, or the community of a ban, before the decision: the same order as when a decision is made. */
async function lockForModeration(tx: Db, id: number): Promise<FoundDecision> {
  const { post_id, comment_id, community_id } = await findDecision(tx, id);
  if (comment_id !== null) await removableComment.lock(tx, comment_id).catch(ignoreApiError);
  else if (post_id !== null) await removablePost.lock(tx, post_id).catch(ignoreApiError);
  else if (community_id !== null) await lockCommunityById(tx, community_id);
  return lockDecision(tx, id);
}

/** For a post or comment that was deleted meanwhile. */
function ignoreApiError(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
}

/** Undoes a decision and its strike. Restores what was removed, unless it was deleted meanwhile. */
async function overturn(tx: Db, decision: FoundDecision, now: number): Promise<void> {
  const { act, post_id, comment_id } = decision;
  try {
    if (act === "suspend") await lift(tx, decision, now);
    else if (act === "community_ban") await liftBan(tx, decision, now);
    else if (act === "close_community") await reopenClosed(tx, decision, now);
    else if (comment_id !== null) await restore(tx, removableComment, comment_id, now);
    else if (post_id !== null) await restore(tx, removablePost, post_id, now);
    // A picture's file is gone.
    else await undoDecision(tx, decision, now);
  } catch (error) {
    ignoreApiError(error);
    await undoDecision(tx, decision, now);
  }
}

async function reopenClosed(tx: Db, decision: FoundDecision, now: number): Promise<void> {
  await reopen(tx, decision.excerpt);
  await undoDecision(tx, decision, now);
}

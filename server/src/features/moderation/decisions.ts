import { limits } from "@tandem/contract/limits";
import { MAX_ID } from "@tandem/contract/schema";
import { ApiError, invalid, notFound } from "../../http/api-error.ts";
import type { Handlers } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { removableComment, removablePost, restore, tell, undo } from "./decide.ts";
import {
  asDecision,
  concerning,
  type Decided,
  findDecision,
  hasEnded,
  lockDecision,
  selectDecisions,
} from "./decisions.queries.ts";
import { lift } from "./suspensions.ts";

export const decisions = {
  async listDecisions(ctx, { limit = limits.page.default, cursor = MAX_ID }) {
    const rows = await selectDecisions(ctx.read)
      .where("d.user_id", "in", concerning(ctx.read, ctx.caller.userId))
      .where("d.id", "<", cursor)
      .limit(limit + 1)
      .execute();
    return pageOf(rows, limit, ctx);
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
      if (hasEnded(row, now)) throw invalid("decisionId", "This decision holds no longer.");
      if (row.appealed_at !== null) throw invalid("decisionId", "This decision was appealed already.");
      const appeal = { appeal: text, appealed_at: now };
      await tx.updateTable("decisions").set(appeal).where("id", "=", decisionId).execute();
      return { decision: asDecision({ ...row, ...appeal }, now) };
    }),
  async listAppeals(ctx, { limit = limits.page.default, cursor = MAX_ID }) {
    const rows = await selectDecisions(ctx.read)
      .where("d.appealed_at", "is not", null)
      .where("d.answered_at", "is", null)
      .where("d.id", "<", cursor)
      .limit(limit + 1)
      .execute();
    return pageOf(rows, limit, ctx);
  },
  answerAppeal: ({ write, now }, { id, accept, answer }) =>
    write(async (tx) => {
      const row = await answerTo(tx, id, { answer, accepted: accept ? 1 : 0, answered_at: now });
      if (!accept || row.undone_at !== null) await tell(tx, row, now);
      else await takeBack(tx, row, now);
      return { decision: asDecision(await findDecision(tx, id), now) };
    }),
} satisfies Handlers<"listDecisions" | "readDecision" | "createAppeal" | "listAppeals" | "answerAppeal">;

function pageOf(
  rows: Decided[],
  limit: number,
  ctx: { now: number; nextPage(cursor: number | null): number | null },
) {
  const page = rows.slice(0, limit);
  const next = rows.length > limit ? (page.at(-1)?.id ?? null) : null;
  return { decisions: page.map((row) => asDecision(row, ctx.now)), nextCursor: ctx.nextPage(next) };
}

/** What concerns somebody else is as good as none. */
async function requireConcerned(db: Db, { user_id }: Decided, userId: number): Promise<void> {
  if (user_id === userId) return;
  const own = concerning(db, userId).where("id", "=", user_id ?? 0);
  if ((await own.executeTakeFirst()) === undefined) throw notFound("decision of yours");
}

type Answer = Pick<Decided, "answer" | "accepted" | "answered_at">;

/** Throws `not_found` where there is no appeal, and `forbidden` where it has its answer. */
async function answerTo(tx: Db, id: number, answer: Answer): Promise<Decided> {
  const row = await lockForModeration(tx, id);
  if (row.appealed_at === null) throw notFound("appeal");
  if (row.answered_at !== null) throw new ApiError("forbidden", "This appeal has its answer already.");
  await tx.updateTable("decisions").set(answer).where("id", "=", id).execute();
  return { ...row, ...answer };
}

/** What a decision is about is locked before it, as by whoever decides. */
async function lockForModeration(tx: Db, id: number): Promise<Decided> {
  const { post_id, comment_id } = await findDecision(tx, id);
  if (comment_id !== null) await removableComment.lock(tx, comment_id).catch(gone);
  else if (post_id !== null) await removablePost.lock(tx, post_id).catch(gone);
  return lockDecision(tx, id);
}

function gone(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
}

/** Of what is gone by now nothing comes back, but the decision is undone, and its strike. */
async function takeBack(tx: Db, decided: Decided, now: number): Promise<void> {
  const { act, post_id, comment_id } = decided;
  try {
    if (act === "suspend") await lift(tx, decided, now);
    else if (comment_id !== null) await restore(tx, removableComment, comment_id, now);
    else if (post_id !== null) await restore(tx, removablePost, post_id, now);
  } catch (error) {
    gone(error);
    await undo(tx, decided, now);
  }
}

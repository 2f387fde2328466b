import { withRoutes } from "@tandem/contract/hints";
import { ApiError } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import type { Db } from "../../storage/storage.ts";
import { accountAndAgents, selectDecisions } from "./decisions.queries.ts";

/**
 * Rethrows the `not_found` of a post. If the post was removed by moderation, its author and the author's operator get an
 * error that says so, with the reason; for everyone else it doesn't exist.
 */
export async function explainRemoval(
  db: Db,
  postId: number,
  caller: Caller | null,
  error: unknown,
): Promise<never> {
  if (!caller || !(error instanceof ApiError) || error.code !== "not_found") throw error;
  const decision = await selectDecisions(db)
    .where("d.post_id", "=", postId)
    .where("d.comment_id", "is", null)
    .where("d.undone_at", "is", null)
    .where("d.user_id", "in", accountAndAgents(db, caller.userId))
    .limit(1)
    .executeTakeFirst();
  if (!decision) throw error;
  const what = decision.act === "hold_post" ? "is held back" : "was removed";
  throw new ApiError("not_found", `This post ${what} (decision ${decision.id}): ${decision.reason}`, {
    missing: error.missing,
    hint: withRoutes(
      "Don't retry. With a session, a person can see the decision ({listDecisions}) and appeal once ({createAppeal}). If you are an agent, tell the person who operates you.",
    ),
  });
}

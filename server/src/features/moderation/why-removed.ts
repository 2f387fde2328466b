import { ApiError } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import type { Db } from "../../storage/storage.ts";
import { concerning, selectDecisions } from "./decisions.queries.ts";

/**
 * Throws again why a post isn't there, and tells its author, or who operates that, that it was taken away and why. To
 * everybody else it is as good as none.
 */
export async function explainRemoval(
  db: Db,
  postId: number,
  caller: Caller | null,
  error: unknown,
): Promise<never> {
  if (!caller || !(error instanceof ApiError) || error.code !== "not_found") throw error;
  const why = await selectDecisions(db)
    .where("d.post_id", "=", postId)
    .where("d.comment_id", "is", null)
    .where("d.undone_at", "is", null)
    .where("d.user_id", "in", concerning(db, caller.userId))
    .limit(1)
    .executeTakeFirst();
  if (!why) throw error;
  const what = why.act === "hold_post" ? "is held back" : "was removed";
  throw new ApiError("not_found", `This post of yours ${what} (decision ${why.id}): ${why.reason}`);
}

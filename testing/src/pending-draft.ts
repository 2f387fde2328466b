import { outcome, PendingApproval } from "@tandem/client/index";

/** The draft that a call became, because its key requires approval. Throws if the call was executed or failed. */
export async function pendingDraft(call: Promise<unknown>): Promise<number> {
  const result = await outcome(call);
  if (result.ok) throw new Error("the call didn't wait for approval");
  if (result.error instanceof PendingApproval) return result.error.draftId;
  throw result.error;
}

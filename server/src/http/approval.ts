import { type ApprovableOperation, isApprovable } from "@tandem/contract/approval";
import { type PendingResponse, pendingMessage, wouldWaitMessage } from "@tandem/contract/drafts";
import type { Db } from "../storage/storage.ts";
import { changedBy, changedNothing, withdrewDraft } from "./activity.ts";
import { ApiError } from "./api-error.ts";
import type { Caller } from "./caller.ts";
import { JsonText } from "./context.ts";
import { attempted, performWrite, type Write } from "./write.ts";

/** A call that waits for approval by the key's owner. */
export interface PendingCall {
  operation: ApprovableOperation;
  caller: Caller;
  input: Readonly<Record<string, unknown>>;
  now: number;
}

/** A call's uploaded files, which its draft keeps until it is published. */
export interface PendingMedia {
  /** What the draft says about them, as JSON. */
  facts: { mediaUrl: string | null };
  attachFiles(tx: Db, draftId: number): Promise<void>;
}

/** The call to submit for approval, or null if it needs none. */
export function pendingCallOf({ op, caller, input, now }: Write): PendingCall | null {
  return caller?.key?.approval && isApprovable(op.name) ? { operation: op.name, caller, input, now } : null;
}

/**
 * Runs a write to validate it, rolls it back and stores the call as a draft. Quotas are charged now and not again on
 * approval.
 */
export async function submitForApproval(
  write: Write,
  call: PendingCall,
  work: (tx: Db) => Promise<object>,
  media?: PendingMedia,
): Promise<JsonText> {
  const { response, replayed, changed } = await attempted(write, work);
  if (replayed) return response;
  if (!changed) return performWrite(write, (tx) => changingNothing(tx, write, call, work));
  return performWrite(write, async (tx) => {
    const { id, changed } = await write.services.addPendingDraft(tx, call, media);
    const response = pendingResponse(id, call.operation, write);
    return changed ? response : changedNothing(response);
  });
}

/** A call that changes nothing needs no approval, such as a like of what is liked. It still withdraws what waits to do the opposite. */
function changingNothing(
  tx: Db,
  { services }: Write,
  call: PendingCall,
  work: (tx: Db) => Promise<object>,
): Promise<object> {
  return services.withdrawingOvertaken(tx, call, async (withdrew) => {
    const response = await work(tx);
    if (changedBy(response) === 1)
      throw new ApiError("overloaded", "This was changed at the same time. Try again.", { retryAfter: 1 });
    return withdrew ? withdrewDraft(response) : response;
  });
}

/** The response of a call that left a draft waiting for approval, or would have without a dry run. */
export function pendingResponse(
  draftId: number,
  operation: ApprovableOperation,
  { dryRun }: Pick<Write, "dryRun">,
): JsonText {
  const pending = { draftId, operation, message: dryRun ? wouldWaitMessage : pendingMessage(draftId) };
  return new JsonText(JSON.stringify({ pending } satisfies PendingResponse));
}

/** Whether a write's response, which may be a recorded one, is a {@link PendingResponse}. */
export function isPending({ text }: JsonText): boolean {
  return text.startsWith('{"pending":');
}

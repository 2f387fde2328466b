import { isWaiting, type WaitingOperation } from "@tandem/contract/drafts";
import type { NumberedTable } from "../storage/engine.ts";
import type { Db } from "../storage/storage.ts";
import type { Caller } from "./caller.ts";
import { JsonText } from "./context.ts";
import { attempted, mergeIntoJson, performWrite, type Write } from "./write.ts";

/** A call that waits for approval by the key's owner. */
export interface PendingCall {
  operation: WaitingOperation;
  caller: Caller;
  input: Readonly<Record<string, unknown>>;
  now: number;
}

/** Stores with the draft what its input can't hold, such as uploaded files. */
export type AttachToDraft = (tx: Db, draftId: number) => Promise<void>;

/** The call to submit for approval, or null if it needs none. */
export function pendingCallOf({ op, caller, input, now }: Write): PendingCall | null {
  return caller?.key?.approval && isWaiting(op.name) ? { operation: op.name, caller, input, now } : null;
}

/**
 * Runs a write, rolls it back and stores the call as a draft. The response is the write's, with `pendingApproval` and
 * `draftId`. Quotas are charged now and not again on approval.
 */
export async function submitForApproval(
  write: Write,
  call: PendingCall,
  work: (tx: Db) => Promise<object>,
  attach?: AttachToDraft,
): Promise<JsonText> {
  const { answer, replayed } = await attempted(write, work);
  if (replayed) return answer;
  return performWrite(write, async (tx) => {
    const draftId = await write.services.keepDraft(tx, call);
    await attach?.(tx, draftId);
    write.draft = draftId;
    const response = await withUnusedId(tx, call.operation, answer.text);
    return new JsonText(mergeIntoJson(response, { pendingApproval: true, draftId }));
  });
}

/** What an operation creates, and in which table. */
const created: { [O in WaitingOperation]?: { name: string; table: NumberedTable } } = {
  createPost: { name: "post", table: "posts" },
  createComment: { name: "comment", table: "comments" },
};

/** Replaces the id in the response: it was rolled back, so another record may get it. The new one is never used. */
async function withUnusedId(tx: Db, operation: WaitingOperation, answer: string): Promise<string> {
  const record = created[operation];
  if (!record) return answer;
  const [id] = await tx.engine.nextIds(tx, record.table, 1);
  const body = JSON.parse(answer);
  return JSON.stringify({ ...body, [record.name]: { ...body[record.name], id } });
}

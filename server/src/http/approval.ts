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
 * Runs a write, rolls it back and stores the call as a draft. The answer is what the write would have answered, with
 * `pendingApproval` and `draftId`. Quotas are charged now and not again on approval.
 */
export async function submitForApproval(
  write: Write,
  held: PendingCall,
  work: (tx: Db) => Promise<object>,
  keeping?: AttachToDraft,
): Promise<JsonText> {
  const { answer, replayed } = await attempted(write, work);
  if (replayed) return answer;
  return performWrite(write, async (tx) => {
    const draftId = await write.services.keepDraft(tx, held);
    await keeping?.(tx, draftId);
    write.draft = draftId;
    const told = await withIdOfNobody(tx, held.operation, answer.text);
    return new JsonText(mergeIntoJson(told, { pendingApproval: true, draftId }));
  });
}

/** What an operation creates, and in which table. */
const makes: { [O in WaitingOperation]?: { name: string; table: NumberedTable } } = {
  createPost: { name: "post", table: "posts" },
  createComment: { name: "comment", table: "comments" },
};

/** Replaces the id in the answer: it was rolled back and may go to another record. The new one is never used. */
async function withIdOfNobody(tx: Db, operation: WaitingOperation, answer: string): Promise<string> {
  const made = makes[operation];
  if (!made) return answer;
  const [id] = await tx.engine.nextIds(tx, made.table, 1);
  const told = JSON.parse(answer);
  return JSON.stringify({ ...told, [made.name]: { ...told[made.name], id } });
}

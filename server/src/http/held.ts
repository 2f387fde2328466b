import { isWaiting, type WaitingOperation } from "@tandem/contract/drafts";
import type { NumberedTable } from "../storage/engine.ts";
import type { Db } from "../storage/storage.ts";
import type { Caller } from "./caller.ts";
import { JsonText } from "./context.ts";
import { attempted, beside, performWrite, type Write } from "./write.ts";

/** A call that waits for the approval of the person behind the key. */
export interface Held {
  operation: WaitingOperation;
  caller: Caller;
  input: Readonly<Record<string, unknown>>;
  now: number;
}

/** Keeps with a draft what its input can't hold. */
export type Keeping = (tx: Db, draftId: number) => Promise<void>;

/** What a call is that waits for approval; null where it needs none. */
export function heldOf({ op, caller, input, now }: Write): Held | null {
  return caller?.key?.approval && isWaiting(op.name) ? { operation: op.name, caller, input, now } : null;
}

/**
 * Judges a write as if it were done, undoes it, and keeps it as a draft; the answer is what it would have been. It
 * draws on the quotas as the real one would, which is then not counted again.
 */
export async function hold(
  write: Write,
  held: Held,
  work: (tx: Db) => Promise<object>,
  keeping?: Keeping,
): Promise<JsonText> {
  const { answer, replayed } = await attempted(write, work);
  if (replayed) return answer;
  return performWrite(write, async (tx) => {
    const draftId = await write.house.keepDraft(tx, held);
    await keeping?.(tx, draftId);
    write.draft = draftId;
    const told = await withIdOfNobody(tx, held.operation, answer.text);
    return new JsonText(beside(told, { pendingApproval: true, draftId }));
  });
}

/** What an operation makes, and in which table. */
const makes: { [O in WaitingOperation]?: { name: string; table: NumberedTable } } = {
  createPost: { name: "post", table: "posts" },
  createComment: { name: "comment", table: "comments" },
};

/** The id in the answer was given back with all else, and might be another's next: in its place stands one that never is. */
async function withIdOfNobody(tx: Db, operation: WaitingOperation, answer: string): Promise<string> {
  const made = makes[operation];
  if (!made) return answer;
  const [id] = await tx.engine.drawIds(tx, made.table, 1);
  const told = JSON.parse(answer);
  return JSON.stringify({ ...told, [made.name]: { ...told[made.name], id } });
}

import type { DraftState, WaitingOperation } from "@tandem/contract/drafts";
import { limits } from "@tandem/contract/limits";
import type { NotificationType } from "@tandem/contract/notifications";
import { operations } from "@tandem/contract/operations";
import { ApiError } from "../../http/api-error.ts";
import type { PendingCall } from "../../http/approval.ts";
import type { Caller } from "../../http/caller.ts";
import type { Call } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";
import { notify } from "../notifications/notifications.queries.ts";
import type { MediaFacts } from "../posts/post-media.ts";
import { dueAt } from "./drafts.queries.ts";

export interface NewDraft {
  operation: WaitingOperation;
  caller: Caller;
  /** What the operation was called with. */
  input: Readonly<Record<string, unknown>>;
  state: DraftState;
  /** Milliseconds since 1970, as `now`. */
  publishAt: number | null;
  now: number;
}

/** Keeps a call that waits for approval, and tells whose approval that is. Throws `draft_limit`. */
export function keepDraft(tx: Db, held: PendingCall): Promise<number> {
  return addDraft(tx, { ...held, input: wordsOf(held), state: "pending", publishAt: null });
}

/** What was sent but for files: those lie elsewhere by the time that somebody looks. */
function wordsOf({ operation, input }: PendingCall): Record<string, unknown> {
  const { files } = operations[operation];
  return Object.fromEntries(Object.entries(input).filter(([name]) => !Object.hasOwn(files, name)));
}

export async function addDraft(tx: Db, draft: NewDraft): Promise<number> {
  const { caller, state, publishAt, now } = draft;
  await requireRoom(tx, caller);
  const owner = await ownerOf(tx, caller);
  const { id } = await tx
    .insertInto("drafts")
    .values({
      owner_id: owner,
      user_id: caller.userId,
      key_id: caller.key?.id ?? null,
      by_key: caller.key ? 1 : 0,
      operation: draft.operation,
      input: JSON.stringify(draft.input),
      media: null,
      state,
      publish_at: publishAt,
      due_at: dueAt(state, publishAt),
      last_error: null,
      created_at: now,
      edited_at: null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  if (state === "pending") await tell(tx, "approval_wanted", { to: owner, draftId: id }, { caller, now });
  return id;
}

/** Keeps what the files of a draft are, for the post that it becomes. */
export async function keepFacts(tx: Db, id: number, facts: MediaFacts): Promise<void> {
  await tx
    .updateTable("drafts")
    .set({ media: JSON.stringify(facts) })
    .where("id", "=", id)
    .execute();
}

async function requireRoom(tx: Db, { userId }: Caller): Promise<void> {
  await lockAccount(tx, userId);
  const full = await tx
    .selectFrom("drafts")
    .select("id")
    .where("user_id", "=", userId)
    .limit(1)
    .offset(limits.draftsPerAccount - 1)
    .executeTakeFirst();
  if (full) throw new ApiError("draft_limit", `An account has at most ${limits.draftsPerAccount} drafts.`);
}

/** The person who answers for this account. */
async function ownerOf(tx: Db, { userId }: Caller): Promise<number> {
  const { operator_id } = await tx
    .selectFrom("users")
    .select("operator_id")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  return operator_id ?? userId;
}

/** Tells somebody how a draft of this author's stands; also the author, whose key it may have been. */
export function tell(
  tx: Db,
  type: NotificationType,
  about: { to: number; draftId: number },
  author: Call,
): Promise<void> {
  return notify(tx, { type, ...about, postId: null, commentId: null, evenOneself: true }, [author]);
}

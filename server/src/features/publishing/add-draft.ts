import { type ApprovableOperation, approvableOperations, isEngagement } from "@tandem/contract/approval";
import type { DraftState } from "@tandem/contract/drafts";
import { limits } from "@tandem/contract/limits";
import type { NotificationType } from "@tandem/contract/notifications";
import { operations } from "@tandem/contract/operations";
import { ApiError } from "../../http/api-error.ts";
import type { PendingCall, PendingMedia } from "../../http/approval.ts";
import type { Caller } from "../../http/caller.ts";
import type { Call } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";
import { notify } from "../notifications/notifications.queries.ts";
import { keyMark } from "../shared/authorship.ts";
import { recordDecisions } from "./decisions.ts";
import { deleteDrafts, dueAt } from "./drafts.queries.ts";

export interface NewDraft {
  operation: ApprovableOperation;
  caller: Caller;
  /** The operation's input. */
  input: Readonly<Record<string, unknown>>;
  state: DraftState;
  /** The facts of its files. */
  media?: PendingMedia["facts"] | null;
  /** Milliseconds since 1970, as `now`. */
  publishAt: number | null;
  now: number;
}

/**
 * Stores a call that needs approval as a draft, and notifies the person who approves it. A call without text, such as a
 * like, isn't stored again while it waits. It withdraws what it overtakes: a stored call never changes, because a person may have read
 * it already. Returns the draft's id, and whether anything was stored or withdrawn. Throws `draft_limit`.
 */
export async function addPendingDraft(
  tx: Db,
  call: PendingCall,
  media?: PendingMedia,
): Promise<{ id: number; changed: boolean }> {
  if (!isEngagement(call.operation)) return { id: await addWaiting(tx, call, media), changed: true };
  return withdrawingOvertaken(tx, call, async (withdrew) => {
    await lockAccount(tx, call.caller.userId);
    const [waiting] = await waitingFor(tx, call, call.operation);
    if (!waiting) return { id: await addWaiting(tx, call), changed: true };
    if (isSame(waiting, call)) return { id: waiting.id, changed: withdrew };
    throw new ApiError("overloaded", "This was changed at the same time. Try again.", { retryAfter: 1 });
  });
}

async function addWaiting(tx: Db, call: PendingCall, media?: PendingMedia): Promise<number> {
  const draft = { ...call, input: withoutFiles(call), state: "pending", publishAt: null } as const;
  const id = await addDraft(tx, { ...draft, media: media?.facts ?? null });
  await media?.attachFiles(tx, id);
  return id;
}

/**
 * Does work of a call, and withdraws the drafts that the call overtakes: those that wait to do the opposite, to like what it unlikes, and
 * votes for other options. Locks as publishing does: drafts first, and last the account that is notified.
 *
 * @param work gets whether anything was withdrawn
 */
export async function withdrawingOvertaken<Result>(
  tx: Db,
  call: PendingCall,
  work: (withdrew: boolean) => Promise<Result>,
): Promise<Result> {
  // Another transaction may decide about them meanwhile: what it deleted isn't withdrawn.
  const withdrawn = await deleteDrafts(
    tx,
    call,
    (await overtakenBy(tx, call)).map(({ id }) => id),
  );
  const result = await work(withdrawn.length > 0);
  await recordDecisions(tx, withdrawn, { decision: "withdrawn", now: call.now });
  return result;
}

async function overtakenBy(tx: Db, call: PendingCall): Promise<WaitingDraft[]> {
  const opposite = opposites.get(call.operation);
  const overtaken = opposite ? await waitingFor(tx, call, opposite) : [];
  if (call.input.choices === undefined) return overtaken;
  const votes = await waitingFor(tx, call, call.operation);
  return [...overtaken, ...votes.filter((draft) => !isSame(draft, call))];
}

type WaitingDraft = Awaited<ReturnType<typeof waitingFor>>[number];

/** Two operations of one path do and undo the same. */
const opposites = new Map(
  approvableOperations.filter(isEngagement).flatMap((name) => {
    const isOpposite = (other: ApprovableOperation) =>
      other !== name && operations[other].path === operations[name].path;
    const other = approvableOperations.find(isOpposite);
    return other ? [[name, other] as const] : [];
  }),
);

/**
 * The account's drafts that wait to do this with the call's input: ids and names, whose case is ignored, whatever the choices of a
 * vote. An account has few drafts.
 */
async function waitingFor(tx: Db, { caller, input }: PendingCall, operation: ApprovableOperation) {
  const rows = await tx
    .selectFrom("drafts")
    .select(["id", "input"])
    .where("user_id", "=", caller.userId)
    .where("state", "=", "pending")
    .where("operation", "=", operation)
    .execute();
  const wanted = subjectOf(input);
  return rows.filter((row) => subjectOf(JSON.parse(row.input)) === wanted);
}

/** Whether a draft that waits to do this with the same subject also has the same choices, in any order. */
const isSame = (draft: WaitingDraft, { input }: PendingCall) =>
  choicesOf(JSON.parse(draft.input)) === choicesOf(input);

function choicesOf({ choices }: Readonly<Record<string, unknown>>): string {
  return Array.isArray(choices) ? choices.toSorted().join() : "";
}

function subjectOf({ choices: _, ...subject }: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(subject).toLowerCase();
}

/** The input without its files, which are stored separately. */
function withoutFiles({ operation, input }: PendingCall): Record<string, unknown> {
  const { files } = operations[operation];
  return Object.fromEntries(Object.entries(input).filter(([name]) => !Object.hasOwn(files, name)));
}

/** Adds a draft, and asks for approval if its state is `pending`. Returns its id. Throws `draft_limit`. */
export async function addDraft(tx: Db, draft: NewDraft): Promise<number> {
  const { caller, state, publishAt, media, now } = draft;
  await requireFreeSlot(tx, caller);
  const owner = await ownerIdOf(tx, caller);
  const { id } = await tx
    .insertInto("drafts")
    .values({
      owner_id: owner,
      user_id: caller.userId,
      key_id: caller.key?.id ?? null,
      by_key: keyMark(caller),
      operation: draft.operation,
      input: JSON.stringify(draft.input),
      media: media ? JSON.stringify(media) : null,
      state,
      publish_at: publishAt,
      due_at: dueAt(state, publishAt),
      last_error: null,
      created_at: now,
      edited_at: null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  if (state === "pending")
    await notifyAboutDraft(tx, "approval_wanted", { to: owner, draftId: id }, { caller, now });
  return id;
}

async function requireFreeSlot(tx: Db, { userId }: Caller): Promise<void> {
  await lockAccount(tx, userId);
  const lastSlot = await tx
    .selectFrom("drafts")
    .select("id")
    .where("user_id", "=", userId)
    .limit(1)
    .offset(limits.draftsPerAccount - 1)
    .executeTakeFirst();
  if (lastSlot)
    throw new ApiError(
      "draft_limit",
      `An account can have at most ${limits.draftsPerAccount} drafts. Publish or delete one first.`,
    );
}

/** The person responsible for the account: an agent's operator, or the person themselves. */
async function ownerIdOf(tx: Db, { userId }: Caller): Promise<number> {
  const { operator_id } = await tx
    .selectFrom("users")
    .select("operator_id")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  return operator_id ?? userId;
}

/** Notifies an account about a draft, even if the account is the author itself: one of its keys may have written it. */
export function notifyAboutDraft(
  tx: Db,
  type: NotificationType,
  about: { to: number; draftId: number },
  author: Call,
): Promise<void> {
  return notify(tx, { type, ...about, postId: null, commentId: null, includeSelf: true }, [author]);
}

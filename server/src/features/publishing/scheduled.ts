import { MINUTE } from "@tandem/contract/durations";
import { operations } from "@tandem/contract/operations";
import { ApiError } from "../../http/api-error.ts";
import { callerTier } from "../../http/graduation.ts";
import { allowancesOf, charge, holderOf } from "../../http/quota.ts";
import type { Services } from "../../http/services.ts";
import type { Db } from "../../storage/storage.ts";
import { Overloaded } from "../../storage/storage.ts";
import { notifyAboutDraft } from "./add-draft.ts";
import { type FoundDraft, lockAnyDraft } from "./drafts.queries.ts";
import { publishDraft, refusePaused } from "./publish.ts";

/** After this many failures in a row a draft is no longer retried, and its author is notified. */
const MAX_FAILURES = 5;

/** Publishes scheduled drafts that are due, one by one, until none is left or the signal aborts. */
export async function publishDue(services: Services, signal: AbortSignal): Promise<void> {
  const { storage, now } = services;
  while (!signal.aborted) {
    // Read first: usually nothing is due, and this avoids the write lock.
    const due = await dueDraft(storage.read, now()).executeTakeFirst();
    if (!due) return;
    try {
      await storage.write((tx) => publishIfDue(services, tx, due.id));
    } catch (error) {
      if (error instanceof Overloaded) throw error;
      if (!(error instanceof ApiError))
        services.log.error({ err: error, draft: due.id }, "publishing a scheduled draft failed");
      await storage.write((tx) => recordFailure(tx, due.id, error, now()));
    }
  }
}

/** The id of the draft that has been due the longest. */
export function dueDraft(db: Db, now: number) {
  return db
    .selectFrom("drafts")
    .select("id")
    .where("due_at", "<=", now)
    .orderBy("due_at")
    .orderBy("id")
    .limit(1);
}

/** Publishes and deletes the draft in one transaction under its lock, so that it is published only once. */
async function publishIfDue(services: Services, tx: Db, id: number): Promise<void> {
  const now = services.now();
  const draft = await lockAnyDraft(tx, id);
  if (draft?.due_at == null || draft.due_at > now) return;
  const { author } = draft;
  refusePaused(author);
  const { key } = author;
  const isKeyOver = !key || (key.expiresAt !== null && key.expiresAt <= now);
  if (draft.approved === 0 && draft.by_key === 1 && isKeyOver)
    throw new ApiError(
      "unauthorized",
      "The API key that scheduled this post was revoked or has expired. Publish the draft yourself.",
    );
  if (draft.approved === 0 && author.key?.approval) return requestApproval(tx, draft, now);
  const { limits } = services.config;
  const tier = await callerTier(tx, author, limits, now);
  await publishDraft({ services, now }, tx, draft);
  // The quota is locked last, as in every write.
  const allowances = allowancesOf(operations.createPost, tier, author.key?.caps, limits);
  await charge(tx, holderOf(author), allowances, now);
}

async function requestApproval(tx: Db, { id, owner_id, author }: FoundDraft, now: number): Promise<void> {
  await tx.updateTable("drafts").set({ state: "pending", due_at: null }).where("id", "=", id).execute();
  await notifyAboutDraft(tx, "approval_wanted", { to: owner_id, draftId: id }, { caller: author, now });
}

/** Schedules a retry if the error is temporary. Otherwise unschedules the draft and notifies its author. */
async function recordFailure(tx: Db, id: number, error: unknown, now: number): Promise<void> {
  const draft = await lockAnyDraft(tx, id);
  if (draft?.due_at == null) return;
  const failures = draft.failures + 1;
  const last_error =
    error instanceof ApiError
      ? error.message
      : "Publishing failed because of an internal error. Try to publish the draft again.";
  const retry = isRetryable(error) && failures < MAX_FAILURES;
  const values = retry
    ? { due_at: now + retryDelay(error, failures) }
    : { state: "kept" as const, due_at: null, publish_at: null };
  await tx
    .updateTable("drafts")
    .set({ ...values, failures: retry ? failures : 0, last_error })
    .where("id", "=", id)
    .execute();
  if (!retry)
    await notifyAboutDraft(
      tx,
      "draft_failed",
      { to: draft.user_id, draftId: id },
      { caller: draft.author, now },
    );
}

/** Whether the error may be temporary. Errors in the draft itself are not. */
function isRetryable(error: unknown): boolean {
  return !(error instanceof ApiError) || error.code === "rate_limited" || error.code === "paused";
}

/** In milliseconds. */
function retryDelay(error: unknown, failures: number): number {
  const retryAfter = error instanceof ApiError ? error.retryAfter : undefined;
  return retryAfter === undefined ? 5 * MINUTE * 2 ** failures : retryAfter * 1000;
}

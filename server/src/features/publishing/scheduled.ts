import { operations } from "@tandem/contract/operations";
import { ApiError } from "../../http/api-error.ts";
import { allowancesOf, charge, holderOf } from "../../http/quota.ts";
import type { Services } from "../../http/services.ts";
import type { Db } from "../../storage/storage.ts";
import { Overloaded } from "../../storage/storage.ts";
import { type FoundDraft, lockAnyDraft } from "./drafts.queries.ts";
import { tell } from "./keep.ts";
import { publishDraft } from "./publish.ts";

const MINUTE = 60_000;
/** After so many failures in a row it is left to its author, who is told. */
const ATTEMPTS = 5;

/** Publishes what is due, one after the other, until nothing is or the signal says to stop. */
export async function publishDue(services: Services, signal: AbortSignal): Promise<void> {
  const { storage, now } = services;
  while (!signal.aborted) {
    // Looked at first, for most of the time none is: a look costs nobody else their turn.
    const due = await dueDraft(storage.read, now()).executeTakeFirst();
    if (!due) return;
    try {
      await storage.write((tx) => publishOne(services, tx, due.id));
    } catch (error) {
      if (error instanceof Overloaded) throw error;
      if (!(error instanceof ApiError)) services.log.error({ err: error, draft: due.id }, "a draft fails");
      await storage.write((tx) => putOff(tx, due.id, error, now()));
    }
  }
}

/** The first that is due. */
export function dueDraft(db: Db, now: number) {
  return db
    .selectFrom("drafts")
    .select("id")
    .where("due_at", "<=", now)
    .orderBy("due_at")
    .orderBy("id")
    .limit(1);
}

/** Publishes it in the transaction in which it is there for the last time: so nobody else does so, too. */
async function publishOne(services: Services, tx: Db, id: number): Promise<void> {
  const now = services.now();
  const draft = await lockAnyDraft(tx, id);
  if (draft?.due_at == null || draft.due_at > now) return;
  const { author } = draft;
  if (author.paused) throw new ApiError("paused");
  if (draft.approved === 0 && draft.by_key === 1 && !author.key)
    throw new ApiError("unauthorized", "The key that scheduled it is revoked.");
  if (draft.approved === 0 && author.key?.approval) return askFirst(tx, draft, now);
  const allowances = allowancesOf(operations.createPost, author, services.config.limits);
  await charge(tx, holderOf(author), allowances, now);
  await publishDraft({ services, now }, tx, draft);
}

async function askFirst(tx: Db, { id, owner_id, author }: FoundDraft, now: number): Promise<void> {
  await tx.updateTable("drafts").set({ state: "pending", due_at: null }).where("id", "=", id).execute();
  await tell(tx, "approval_wanted", { to: owner_id, draftId: id }, { caller: author, now });
}

/** Tries it again later, if that may help; otherwise it is kept as it is, and its author told. */
async function putOff(tx: Db, id: number, error: unknown, now: number): Promise<void> {
  const draft = await lockAnyDraft(tx, id);
  if (draft?.due_at == null) return;
  const failures = draft.failures + 1;
  const last_error = error instanceof ApiError ? error.message : "It could not be published.";
  const again = mayPass(error) && failures < ATTEMPTS;
  const values = again
    ? { due_at: now + waitAfter(error, failures) }
    : { state: "kept" as const, due_at: null, publish_at: null };
  await tx
    .updateTable("drafts")
    .set({ ...values, failures: again ? failures : 0, last_error })
    .where("id", "=", id)
    .execute();
  if (!again)
    await tell(tx, "draft_failed", { to: draft.user_id, draftId: id }, { caller: draft.author, now });
}

/** Whether it may be otherwise another time: what is wrong with the draft itself won't be. */
function mayPass(error: unknown): boolean {
  return !(error instanceof ApiError) || error.code === "rate_limited" || error.code === "paused";
}

/** Milliseconds. */
function waitAfter(error: unknown, failures: number): number {
  const told = error instanceof ApiError ? error.retryAfter : undefined;
  return told === undefined ? 5 * MINUTE * 2 ** failures : told * 1000;
}

import { type ApprovableOperation, approvableOperations } from "@tandem/contract/approval";
import type { DraftState } from "@tandem/contract/drafts";
import { operations } from "@tandem/contract/operations";
import { MAX_ID } from "@tandem/contract/schema";
import { type Selectable, sql } from "kysely";
import { hasScope, requireScope } from "../../http/access.ts";
import { ApiError, notFound } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import type { Call } from "../../http/context.ts";
import { accountColumns, caller, callerKey } from "../../http/credential.ts";
import type { DraftRow } from "../../storage/schema/agents.ts";
import type { Db } from "../../storage/storage.ts";
import type { Decided } from "./decisions.ts";

/** A draft, and the caller that publishes it. */
export interface FoundDraft extends Selectable<DraftRow> {
  author: Caller;
}

/** Whether the caller can approve drafts by their agents and keys: only people in their own session can. */
export function canApprove({ key, isAgent }: Caller): boolean {
  return key === null && !isAgent;
}

interface Range {
  state: DraftState | undefined;
  /** Only drafts with ids below this one. */
  before: number | undefined;
  limit: number;
}

/**
 * The drafts that the caller can list, newest first. A key that can't write posts lists what it can
 * withdraw: the pending changes that its scopes allow.
 */
export async function readDrafts(
  db: Db,
  reader: Caller,
  { state, before = MAX_ID, limit }: Range,
): Promise<FoundDraft[]> {
  const rows = await withAuthor(db)
    .where(canApprove(reader) ? "d.owner_id" : "d.user_id", "=", reader.userId)
    .where("d.id", "<", before)
    .$if(state !== undefined, (query) => query.where("d.state", "=", state as DraftState))
    .$if(!maySeeAll(reader), (query) => query.where("d.operation", "in", allowedTo(reader)))
    .orderBy("d.id", "desc")
    .limit(limit)
    .execute();
  return rows.map(toFoundDraft);
}

const maySeeAll = (reader: Caller): boolean => hasScope(reader, operations.createPost.access);

function allowedTo(reader: Caller): ApprovableOperation[] {
  return approvableOperations.filter((name) => hasScope(reader, operations[name].access));
}

/** Locks a draft that the caller can see. Throws `not_found`, or `already_decided` if it waited for approval. */
export async function lockDraft(tx: Db, id: number, reader: Caller): Promise<FoundDraft> {
  const draft = await lockAnyDraft(tx, id);
  const decided = draft ? null : await readDecided(tx, id, reader);
  if (decided) throw new ApiError("already_decided", `This draft was already ${decided.decision}.`);
  return visible(draft, reader);
}

/** A draft that the caller can see. Throws `not_found`. */
function visible(draft: FoundDraft | null, reader: Caller): FoundDraft {
  const visibleTo = draft && (canApprove(reader) ? draft.owner_id : draft.user_id);
  if (!draft || visibleTo !== reader.userId) throw notFound("draft in your account");
  return draft;
}

/** A draft that the caller can see; null if it was decided and is gone. Throws `not_found`, or `insufficient_scope`. */
export async function readDraft(db: Db, id: number, reader: Caller): Promise<FoundDraft | null> {
  const draft = await findAnyDraft(db, id);
  const decided = draft ? null : await readDecided(db, id, reader);
  const { operation } = decided ?? visible(draft, reader);
  if (!maySeeAll(reader)) requireScope(reader, operations[operation].access);
  return draft;
}

/** What became of a draft that the caller could see. Null if it never waited for approval. */
async function readDecided(db: Db, id: number, reader: Caller) {
  const found = await db
    .selectFrom("draft_decisions as d")
    .innerJoin("users", "users.id", "d.user_id")
    .select(["d.decision", "d.operation", "d.user_id", "users.operator_id"])
    .where("d.draft_id", "=", id)
    .executeTakeFirst();
  if (!found) return null;
  const isOperator = canApprove(reader) && found.operator_id === reader.userId;
  return found.user_id === reader.userId || isOperator ? found : null;
}

/** Locks a draft, without checking who can see it. Null if it doesn't exist. */
export function lockAnyDraft(tx: Db, id: number): Promise<FoundDraft | null> {
  return findAnyDraft(tx, id, { locks: tx.engine.rowLocks });
}

async function findAnyDraft(db: Db, id: number, { locks = false } = {}): Promise<FoundDraft | null> {
  const row = await withAuthor(db)
    .where("d.id", "=", id)
    .$if(locks, (query) => query.forUpdate("d"))
    .executeTakeFirst();
  return row ? toFoundDraft(row) : null;
}

/** Deletes those of these drafts that the account wrote, and returns them: what was published or deleted meanwhile isn't among them. */
export async function deleteDrafts(
  tx: Db,
  { caller }: Pick<Call, "caller">,
  ids: readonly number[],
): Promise<Decided[]> {
  if (ids.length === 0) return [];
  return await tx
    .deleteFrom("drafts")
    .where("user_id", "=", caller.userId)
    .where(sql<boolean>`id in (${tx.engine.oneOf(ids)})`)
    .returning(["id", "owner_id", "user_id", "operation", "input", "state", "approved"])
    .execute();
}

function withAuthor(db: Db) {
  return db
    .selectFrom("drafts as d")
    .innerJoin("users", "users.id", "d.user_id")
    .leftJoin("users as operator", "operator.id", "users.operator_id")
    .leftJoin("keys as k", "k.id", "d.key_id")
    .selectAll("d")
    .select(accountColumns)
    .select(["k.scopes", "k.caps", "k.approval", "k.client_id", "k.expires_at", "k.paused as key_paused"]);
}

type AuthoredRow = Awaited<ReturnType<ReturnType<typeof withAuthor>["execute"]>>[number];

function toFoundDraft(row: AuthoredRow): FoundDraft {
  const { scopes, caps, approval, client_id, expires_at, key_paused, ...rest } = row;
  const {
    username,
    role,
    paused,
    ai_posts,
    ai_comments,
    sensitive_posts,
    operator_id,
    has_blocks,
    operator_has_blocks,
    ...draft
  } = rest;
  const { key_id: id, by_key } = draft;
  const isKeyActive = id !== null && scopes !== null;
  const key = isKeyActive
    ? callerKey({ id, scopes, caps, approval: approval ?? 0, client_id, expires_at })
    : null;
  const credential = { key, byAi: by_key === 1 || role === "agent", paused: paused + (key_paused ?? 0) > 0 };
  return { ...draft, author: caller(rest, credential) };
}

/** When to publish a draft automatically: only scheduled drafts are. */
export function dueAt(state: DraftState, publishAt: number | null): number | null {
  return state === "scheduled" ? publishAt : null;
}

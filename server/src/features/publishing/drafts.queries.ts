import type { Draft, DraftState } from "@tandem/contract/drafts";
import { MAX_ID } from "@tandem/contract/schema";
import { type Selectable, sql } from "kysely";
import { notFound } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import { accountColumns, caller, callerKey } from "../../http/credential.ts";
import type { DraftRow } from "../../storage/schema/agents.ts";
import type { Db } from "../../storage/storage.ts";
import type { MediaFacts } from "../posts/post-media.ts";

/** A draft, and as whom it is published. */
export interface FoundDraft extends Selectable<DraftRow> {
  author: Caller;
}

/** Whether a person decides: in their own session, and for whatever their agents and keys wrote. */
export function decides({ key, isAgent }: Caller): boolean {
  return key === null && !isAgent;
}

/** Up to one more than asked for of the drafts that the caller sees, newest first, before an id. */
export async function readDrafts(db: Db, reader: Caller, before = MAX_ID, limit: number): Promise<Draft[]> {
  const rows = await withAuthor(db)
    .where(decides(reader) ? "d.owner_id" : "d.user_id", "=", reader.userId)
    .where("d.id", "<", before)
    .orderBy("d.id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => asDraft(found(row)));
}

/** A draft that the caller sees, until the transaction ends nobody else's to change. Throws `not_found`. */
export async function lockDraft(tx: Db, id: number, reader: Caller): Promise<FoundDraft> {
  const draft = await lockAnyDraft(tx, id);
  const whose = draft && (decides(reader) ? draft.owner_id : draft.user_id);
  if (!draft || whose !== reader.userId) throw notFound("draft of yours");
  return draft;
}

export async function lockAnyDraft(tx: Db, id: number): Promise<FoundDraft | null> {
  const row = await withAuthor(tx)
    .where("d.id", "=", id)
    .$if(tx.engine.rowLocks, (query) => query.forUpdate("d"))
    .executeTakeFirst();
  return row ? found(row) : null;
}

/** Discards those of these drafts that an account wrote and that nobody published; tells how many. */
export async function discardDrafts(tx: Db, ids: readonly number[], userId: number): Promise<number> {
  const gone = await tx
    .deleteFrom("drafts")
    .where("user_id", "=", userId)
    .where(sql<boolean>`id in (${tx.engine.oneOf(ids)})`)
    .returning("id")
    .execute();
  return gone.length;
}

function withAuthor(db: Db) {
  return db
    .selectFrom("drafts as d")
    .innerJoin("users", "users.id", "d.user_id")
    .leftJoin("users as operator", "operator.id", "users.operator_id")
    .leftJoin("keys as k", "k.id", "d.key_id")
    .selectAll("d")
    .select(accountColumns)
    .select(["k.scopes", "k.tier", "k.caps", "k.approval", "k.paused as key_paused"]);
}

type AuthoredRow = Awaited<ReturnType<ReturnType<typeof withAuthor>["execute"]>>[number];

function found(row: AuthoredRow): FoundDraft {
  const { scopes, tier, caps, approval, key_paused, ...rest } = row;
  const {
    username,
    role,
    paused,
    ai_posts,
    ai_comments,
    operator_id,
    has_blocks,
    operator_has_blocks,
    ...draft
  } = rest;
  const { key_id: id, by_key } = draft;
  const live = id !== null && scopes !== null && tier !== null;
  const key = live ? callerKey({ id, scopes, tier, caps, approval: approval ?? 0 }) : null;
  const more = { key, byAi: by_key === 1 || role === "agent", paused: paused + (key_paused ?? 0) > 0 };
  return { ...draft, author: caller(rest, more) };
}

/** As those see it who may. */
export function asDraft(row: FoundDraft): Draft {
  const input = JSON.parse(row.input);
  const media: MediaFacts | null = row.media === null ? null : JSON.parse(row.media);
  const { id: about = null, parentId = null, ...sent } = input;
  const ofComment = row.operation === "editComment";
  return {
    id: row.id,
    operation: row.operation,
    state: row.state,
    author: row.author.username,
    keyId: row.key_id,
    postId: ofComment ? null : about,
    commentId: ofComment ? about : null,
    parentId,
    changes: Object.keys(sent),
    title: sent.title ?? null,
    body: sent.body ?? null,
    url: sent.url ?? null,
    alt: sent.alt ?? null,
    productIds: sent.productIds ?? null,
    provenance: sent.provenance ?? null,
    mediaUrl: media?.mediaUrl ?? null,
    publishAt: timeOf(row.publish_at),
    lastError: row.last_error,
    createdAt: new Date(row.created_at).toISOString(),
    editedAt: timeOf(row.edited_at),
  };
}

function timeOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** When a draft in this state is tried: none but one that is scheduled ever is. */
export function dueAt(state: DraftState, publishAt: number | null): number | null {
  return state === "scheduled" ? publishAt : null;
}

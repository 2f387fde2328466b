import { isApprovable } from "@tandem/contract/approval";
import { type Operation, type Subject, subjectOf, subjects } from "@tandem/contract/operation";
import type { OperationName } from "@tandem/contract/operations";
import { nativePlatform } from "@tandem/contract/origins";
import { sql } from "kysely";
import { preparedRows } from "../storage/prepared-rows.ts";
import type { Db } from "../storage/storage.ts";
import type { Caller } from "./caller.ts";
import { signerOf } from "./signature.ts";

/** A write by an agent or a key, as its operator sees it. */
export interface ActivityEntry {
  user_id: number;
  key_id: number | null;
  operation: string;
  /** The id of the record it changed. */
  target: number | null;
  /** The creator, community or hashtag that it named. */
  name: string | null;
  /** The host whose key signed the request. */
  signer: string | null;
  /** Milliseconds since 1970. */
  created_at: number;
  changed: 0 | 1;
  /** The draft with which it asked for approval, or that it published. */
  draft_id: number | null;
}

/** Results of calls that changed nothing. */
const unchanged = new WeakSet<object>();

/** Marks a result as having changed nothing, so that neither undo nor the activity has it. */
export function changedNothing<A extends object>(response: A): A {
  unchanged.add(response);
  return response;
}

/** Results of calls that withdrew a draft that waited for approval. */
const withdrawing = new WeakSet<object>();

/** Marks a result as that of a call that also withdrew such a draft. */
export function withdrewDraft<A extends object>(response: A): A {
  withdrawing.add(response);
  return response;
}

/** Whether a call belongs in the activity, which repetitions that change nothing would bury. */
export function isActivity(result: object): boolean {
  return !unchanged.has(result) || withdrawing.has(result);
}

/** The `changed` of an activity entry, from the result of its call. */
export function changedBy(result: object): 0 | 1 {
  return unchanged.has(result) ? 0 : 1;
}

interface PerformedWrite {
  op: Operation;
  caller: Caller;
  now: number;
  input: Readonly<Record<string, unknown>>;
}

/** The activity entry of a write, from its input and its response. */
export function activityEntryOf(
  { op, caller, now, input }: PerformedWrite,
  result: object,
  response: string,
): ActivityEntry {
  const by = {
    user_id: caller.userId,
    key_id: caller.key?.id ?? null,
    signer: signerOf(caller),
    draft_id: null,
    created_at: now,
  };
  const common = { ...by, name: null, changed: changedBy(result) } as const;
  const draftId = pendingIdOf(response);
  if (draftId !== null) {
    const operation = isApprovable(op.name) ? "createDraft" : op.name;
    return { ...common, operation, target: draftId, draft_id: draftId };
  }
  const { id } = input;
  const subject = subjectOf(op);
  const target = subject && (createdIdOf(response, subject) ?? (typeof id === "number" ? id : null));
  return { ...common, operation: op.name, target, name: nameIn(op.name, input) };
}

/** What an operation's input names, as activity entries have it: see {@link namedBy}. */
export function nameIn(operation: string, input: Readonly<Record<string, unknown>>): string | null {
  const { platform, author, community, name, tag } = input;
  switch (namedBy(operation)) {
    case "community":
      return community === undefined ? `${nativePlatform}/${name}` : `${platform}/${community}`;
    case "tag":
      return String(tag).replace(/^#/, "");
    case "creator":
      return typeof author === "string" ? `${platform}/${author}` : null;
  }
}

/** The kind of what an operation's input names. Creators and communities are named with their platforms: `native/ada`. */
export function namedBy(operation: string): "creator" | "community" | "tag" {
  if (communityOperations.has(operation)) return "community";
  return tagOperations.has(operation) ? "tag" : "creator";
}

const communityOperations: ReadonlySet<string> = new Set<OperationName>([
  "joinCommunity",
  "leaveCommunity",
  "followCommunity",
  "unfollowCommunity",
]);
const tagOperations: ReadonlySet<string> = new Set<OperationName>(["followTag", "unfollowTag"]);

/** The id of the record of this kind at the start of a serialized response. Null if it starts with anything else. */
export function createdIdOf(response: string, subject: Subject): number | null {
  return idIn(response, startWith[subject]);
}

const startWith = Object.fromEntries(
  subjects.map((subject) => [subject, new RegExp(`^\\{"${subject}":\\{"id":(\\d+)`)]),
) as Record<Subject, RegExp>;

/** The draft that waits for approval, according to a serialized response. Null if none does. */
function pendingIdOf(response: string): number | null {
  return idIn(response, /^\{"pending":\{"draftId":(\d+)/);
}

function idIn(response: string, pattern: RegExp): number | null {
  const id = pattern.exec(response)?.[1];
  return id === undefined ? null : Number(id);
}

/** Records entries in the transaction of their writes. */
export async function recordActivity(tx: Db, entries: ActivityEntry[]): Promise<void> {
  if (entries.length > 0) await insert(tx.later, entries, {});
}

const columns = {
  user_id: "integer",
  key_id: "integer",
  operation: "text",
  target: "integer",
  name: "text",
  signer: "text",
  created_at: "integer",
  changed: "integer",
  draft_id: "integer",
} as const;

const insert = preparedRows<ActivityEntry, object, never>(columns, (db, entries) =>
  sql<never>`
    insert into activity (user_id, key_id, operation, target, creator, signer, created_at, changed, draft_id)
    select user_id, key_id, operation, target, name, signer, created_at, changed, draft_id from (${entries}) as entries
  `.compile(db),
);

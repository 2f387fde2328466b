import { type Operation, subjectOf } from "@tandem/contract/operation";
import { sql } from "kysely";
import { prepared } from "../storage/prepared.ts";
import type { Db } from "../storage/storage.ts";
import type { Caller } from "./caller.ts";

/** An accepted write, as the one who answers for its caller finds it. */
export interface Deed {
  user_id: number;
  key_id: number | null;
  operation: string;
  /** The id of the record that it was about. */
  target: number | null;
  creator: string | null;
  /** Milliseconds since 1970. */
  created_at: number;
  changed: 0 | 1;
}

/** Answers to calls that found all as they asked for it. */
const idle = new WeakSet<object>();

/** Says of an answer that its call changed nothing, because all was so already: nobody will undo what it didn't do. */
export function changedNothing<A extends object>(answer: A): A {
  idle.add(answer);
  return answer;
}

interface Done {
  op: Operation;
  caller: Caller;
  now: number;
  input: Readonly<Record<string, unknown>>;
  draft: number | null;
}

/** What a write did, by what it was called with, what came of it, and how that is told. */
export function deedOf({ op, caller, now, input, draft }: Done, done: object, answer: string): Deed {
  const by = { user_id: caller.userId, key_id: caller.key?.id ?? null, created_at: now };
  const common = { ...by, creator: null, changed: idle.has(done) ? 0 : 1 } as const;
  if (draft !== null) return { ...common, operation: "createDraft", target: draft };
  const { id, platform, author } = input;
  const target = subjectOf(op) ? (madeIn(answer) ?? (typeof id === "number" ? id : null)) : null;
  const creator = typeof author === "string" ? `${platform}/${author}` : null;
  return { ...common, operation: op.name, target, creator };
}

/** The id of the record that an answer begins with. */
export function madeIn(answer: string): number | null {
  const id = /^\{"\w+":\{"id":(\d+)/.exec(answer)?.[1];
  return id === undefined ? null : Number(id);
}

/** Notes down what was done, in the transaction that did it. */
export async function note(tx: Db, deeds: Deed[]): Promise<void> {
  if (deeds.length > 0) await insert(tx, { deeds: JSON.stringify(deeds) });
}

const insert = prepared<{ deeds: string }, never>((db, { deeds }) => {
  const columns = {
    user_id: "integer",
    key_id: "integer",
    operation: "text",
    target: "integer",
    creator: "text",
    created_at: "integer",
    changed: "integer",
  } as const;
  return sql<never>`
    insert into activity (user_id, key_id, operation, target, creator, created_at, changed)
    select user_id, key_id, operation, target, creator, created_at, changed from (${db.engine.rows(deeds, columns)}) as deeds
  `.compile(db);
});

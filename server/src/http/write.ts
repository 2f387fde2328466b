import { isWaiting } from "@tandem/contract/drafts";
import type { Operation } from "@tandem/contract/operation";
import type { Db } from "../storage/storage.ts";
import { judgeAccess } from "./access.ts";
import { type Deed, deedOf, note } from "./activity.ts";
import type { Caller } from "./caller.ts";
import { JsonText } from "./context.ts";
import { type Standing, standing } from "./credential.ts";
import { countAccepted } from "./graduation.ts";
import type { House } from "./house.ts";
import { type Attempt, type InFlight, recall, remember } from "./idempotency.ts";
import { Problem, type QuotaState } from "./problem.ts";
import { allowancesOf, chargeAll, holderOf, usedUp } from "./quota.ts";
import { judgeSuspension } from "./suspension.ts";

/** A write as the request describes it, and what the answer's headers must tell of it. */
export interface Write {
  house: House;
  op: Operation;
  caller: Caller | null;
  now: number;
  /** What it was called with, checked. */
  input: Readonly<Record<string, unknown>>;
  /** Whether it is undone in the end, and its answer says so. */
  dryRun: boolean;
  /** Whether it is undone in the end, and nobody is told. */
  trial: boolean;
  attempt: Attempt | null;
  inFlight: InFlight;
  stringify(answer: object): string;
  /** Filled in by the write. */
  outcome: { quotas: QuotaState[]; replayed: boolean };
  /** The draft that it became instead, where it waits for approval. */
  draft: number | null;
}

/** Does what several writes ask for, and gives the answer to each, or the refusal of it, in their order. */
export type Work<W> = (tx: Db, writes: W[]) => Promise<object[]>;

/** What a write came to: an answer, or a refusal of its own. */
type Outcome = string | Problem;

/**
 * The one place that all writes pass: effect, counters, quota and idempotency record commit together or not
 * at all. Quota is charged last, so that only calls which were good in every other way count (decisions: order).
 */
export function performWrite(write: Write, work: (tx: Db) => Promise<object>): Promise<JsonText> {
  return answered(write, async () => {
    const outcomes = await performAll([write], async (tx) => [await work(tx)]);
    return outcomes.get(write);
  });
}

/**
 * Judges a write before the costly part of its work is done: it is refused now as it would be then, and undone. Gives
 * back the answer if it has been made before, under its Idempotency-Key; null if it is to be made.
 */
export async function rehearse(write: Write, work: (tx: Db) => Promise<object>): Promise<JsonText | null> {
  const { answer, replayed } = await attempted(write, work);
  return replayed ? answer : null;
}

/** What a write would be answered, or was before under its Idempotency-Key. It leaves no trace. */
export async function attempted(write: Write, work: (tx: Db) => Promise<object>) {
  const trial: Write = { ...write, trial: true, dryRun: false, outcome: { quotas: [], replayed: false } };
  const answer = await performWrite(trial, work);
  const { replayed } = trial.outcome;
  write.outcome.replayed = replayed;
  return { answer, replayed };
}

/** An answer with some more facts beside its own. */
export function beside(answer: string, facts: object): string {
  return `${answer.slice(0, -1)},${JSON.stringify(facts).slice(1)}`;
}

/** The answer to a write, which runs unless one under the same Idempotency-Key runs already. */
export async function answered(
  { attempt, inFlight }: Write,
  run: () => Promise<Outcome | undefined>,
): Promise<JsonText> {
  const outcome = await (attempt ? inFlight.guard(attempt, run) : run());
  if (typeof outcome === "string") return new JsonText(outcome);
  throw outcome ?? new Error("a write was lost");
}

/**
 * Performs writes in one transaction. Those that are refused for themselves alone leave no trace in it and take no
 * other along; throws what befell all.
 */
export async function performAll<W extends Write>(writes: W[], work: Work<W>): Promise<Map<W, Outcome>> {
  const outcomes = new Map<W, Outcome>();
  for (let left = writes; left.length > 0; left = writes.filter((write) => !outcomes.has(write))) {
    const { storage } = (left[0] as W).house;
    for (const [write, outcome] of await settled(storage.write((tx) => inTransaction(tx, left, work))))
      outcomes.set(write, outcome);
  }
  return outcomes;
}

/** Rolls a transaction back, and carries out of it what those came to that it was rolled back for. */
class RolledBack<W> {
  readonly outcomes: Map<W, Outcome>;
  constructor(outcomes: Map<W, Outcome>) {
    this.outcomes = outcomes;
  }
}

async function settled<W>(transaction: Promise<Map<W, Outcome>>): Promise<Map<W, Outcome>> {
  return transaction.catch((error) => {
    if (error instanceof RolledBack) return error.outcomes;
    throw error;
  });
}

async function inTransaction<W extends Write>(tx: Db, writes: W[], work: Work<W>): Promise<Map<W, Outcome>> {
  const outcomes = await withoutEffect(tx, writes);
  const fresh = writes.filter((write) => !outcomes.has(write));
  if (fresh.length === 0) return outcomes;
  const done = await work(tx, fresh).catch((error) => {
    // What they ask for can't be done; what the others came to stands.
    const refused = refusal(error);
    for (const write of fresh) outcomes.set(write, refused);
    throw new RolledBack(outcomes);
  });
  const refused = fresh.flatMap((write, i) => {
    const answer = done[i];
    return answer instanceof Problem ? [[write, answer] as const] : [];
  });
  if (refused.length > 0) throw new RolledBack(new Map<W, Outcome>(refused));
  const answers = done.map((answer, i) =>
    answer instanceof JsonText ? answer.text : (fresh[i] as W).stringify(answer),
  );
  await draw(tx, fresh);
  await note(tx, deedsOf(fresh, done, answers));
  for (const [i, write] of fresh.entries()) {
    const answer = answers[i] ?? "";
    if (write.trial) throw new RolledBack(new Map([[write, answer]]));
    if (write.dryRun) throw new RolledBack(new Map([[write, beside(answer, { dryRun: true })]]));
    if (write.attempt) await remember(tx, write.attempt, write.op, answer, write.now);
    outcomes.set(write, answer);
  }
  return outcomes;
}

/** Those that need not be done: their caller may no longer, or they have been answered before. */
async function withoutEffect<W extends Write>(tx: Db, writes: W[]): Promise<Map<W, Outcome>> {
  const outcomes = new Map<W, Outcome>();
  const credentials = await standing(
    tx,
    writes.flatMap(({ caller }) => caller ?? []),
  );
  for (const write of writes) {
    const { caller } = write;
    const fallen = caller && (await judgeAnew(tx, write, caller, credentials.get(caller)));
    if (fallen) outcomes.set(write, fallen);
    else if (write.attempt) {
      const before = await recall(tx, write.attempt, write.now).catch(refusal);
      write.outcome.replayed = typeof before === "string";
      if (before !== null) outcomes.set(write, before);
    }
  }
  return outcomes;
}

/** Why a caller may not do any more what it might when it was judged; null where it still may. */
async function judgeAnew(
  tx: Db,
  { op, now }: Write,
  caller: Caller,
  stands: Standing | undefined,
): Promise<Problem | null> {
  if (!stands) return new Problem("unauthorized", "This credential has just ended.");
  try {
    judgeAccess(op, { ...caller, ...stands });
    await judgeSuspension(tx, op, { ...caller, ...stands }, now);
  } catch (error) {
    return refusal(error);
  }
  // It was begun as one that nobody is asked about: sent again, it is one that waits.
  const asksNow = stands.approval && caller.key?.approval === false && isWaiting(op.name);
  return asksNow
    ? new Problem("overloaded", "This key has just been told to ask first. Send it again.", { retryAfter: 1 })
    : null;
}

function refusal(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}

/** What is noted of those writes that people answer for and don't make themselves. */
function deedsOf(writes: readonly Write[], done: readonly object[], answers: readonly string[]): Deed[] {
  return writes.flatMap((write, i) => {
    const { caller, dryRun, trial } = write;
    return caller?.byAi && !dryRun && !trial
      ? deedOf({ ...write, caller }, done[i] ?? {}, answers[i] ?? "")
      : [];
  });
}

/** Draws on the quotas of all, and rolls back for those that have used theirs up. */
async function draw<W extends Write>(tx: Db, writes: W[]): Promise<void> {
  const drawing = writes.flatMap((write) => (write.caller ? [{ write, caller: write.caller }] : []));
  const states = await chargeAll(
    tx,
    drawing.map(({ write: { op, now, house }, caller }) => ({
      holder: holderOf(caller),
      allowances: allowancesOf(op, caller, house.config.limits),
      now,
    })),
  );
  const refused = new Map<W, Outcome>();
  for (const [i, { write }] of drawing.entries()) {
    const problem = usedUp(states[i] ?? []);
    if (problem) refused.set(write, problem);
    else if (!write.dryRun && !write.trial) write.outcome.quotas = states[i] ?? [];
  }
  if (refused.size > 0) throw new RolledBack(refused);
  const keys = drawing.flatMap(({ caller }) => caller.key?.id ?? []);
  const [first] = writes;
  if (first) await countAccepted(tx, keys, first.house.config.limits, first.now);
}

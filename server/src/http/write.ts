import type { Operation } from "@tandem/contract/operation";
import type { Db } from "../storage/storage.ts";
import type { Caller } from "./caller.ts";
import { JsonText } from "./context.ts";
import { requireStanding } from "./credential.ts";
import { countAccepted } from "./graduation.ts";
import type { House } from "./house.ts";
import { type Attempt, type InFlight, recall, remember } from "./idempotency.ts";
import type { QuotaState } from "./problem.ts";
import { allowancesOf, charge, holderOf } from "./quota.ts";

/** A write as the request describes it, and what the answer's headers must tell of it. */
export interface Write {
  house: House;
  op: Operation;
  caller: Caller | null;
  now: number;
  dryRun: boolean;
  attempt: Attempt | null;
  inFlight: InFlight;
  stringify(answer: object): string;
  /** Filled in by the write. */
  outcome: { quotas: QuotaState[]; replayed: boolean };
}

/** Carries a dry run's answer out of the transaction that it undoes. */
class RolledBack {
  readonly answer: string;
  constructor(answer: string) {
    this.answer = answer;
  }
}

/**
 * The one place that all writes pass: effect, counters, quota and idempotency record commit together or not
 * at all. Quota is charged last, so that only calls which were good in every other way count (decisions: order).
 */
export async function performWrite(write: Write, work: (tx: Db) => Promise<object>): Promise<JsonText> {
  const { attempt, inFlight } = write;
  const run = () => commit(write, work);
  return new JsonText(attempt ? await inFlight.guard(attempt, run) : await run());
}

async function commit(write: Write, work: (tx: Db) => Promise<object>): Promise<string> {
  try {
    return await write.house.storage.write((tx) => inTransaction(write, tx, work));
  } catch (error) {
    if (error instanceof RolledBack) return error.answer;
    throw error;
  }
}

async function inTransaction(write: Write, tx: Db, work: (tx: Db) => Promise<object>): Promise<string> {
  const { op, caller, attempt, now, outcome, dryRun } = write;
  if (caller) await requireStanding(tx, caller);
  const before = attempt && (await recall(tx, attempt, now));
  if (before !== null) {
    outcome.replayed = true;
    return before;
  }
  const done = await work(tx);
  const answer = done instanceof JsonText ? done.text : write.stringify(done);
  const quotas = await draw(write, tx);
  if (dryRun) throw new RolledBack(`${answer.slice(0, -1)},"dryRun":true}`);
  if (attempt) await remember(tx, attempt, op, answer, now);
  outcome.quotas = quotas;
  return answer;
}

async function draw({ op, caller, house, now }: Write, tx: Db): Promise<QuotaState[]> {
  if (!caller) return [];
  const { limits } = house.config;
  const quotas = await charge(tx, holderOf(caller), allowancesOf(op, caller, limits), now);
  if (caller.key) await countAccepted(tx, caller.key.id, limits, now);
  return quotas;
}

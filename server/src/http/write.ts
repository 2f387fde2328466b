import { canWait } from "@tandem/contract/approval";
import type { Operation } from "@tandem/contract/operation";
import { firstTier, type Tier } from "@tandem/contract/tiers";
import type { Db } from "../storage/storage.ts";
import { authorize } from "./access.ts";
import { type ActivityEntry, activityEntryOf, changedBy, isActivity, recordActivity } from "./activity.ts";
import { ApiError, type QuotaState } from "./api-error.ts";
import type { Caller } from "./caller.ts";
import { JsonText } from "./context.ts";
import { agentTiers, countAccepted, tierOf } from "./graduation.ts";
import { type Attempt, type InFlight, recall, remember } from "./idempotency.ts";
import { allowancesOf, chargeAll, holderOf, rateLimitError } from "./quota.ts";
import { type CredentialStatus, hasExpired, recheckCredentials } from "./recheck-credentials.ts";
import type { Services } from "./services.ts";
import { useSignatures } from "./signature.ts";
import { refuseSuspended } from "./suspension.ts";

/** A write as the request describes it, and what the response's headers need. */
export interface Write {
  services: Services;
  op: Operation;
  caller: Caller | null;
  now: number;
  /** Validated input. */
  input: Readonly<Record<string, unknown>>;
  /** Rolled back, and marked as a dry run in its response. */
  dryRun: boolean;
  /** Rolled back silently: used to check a write before its costly part. */
  trial: boolean;
  attempt: Attempt | null;
  inFlight: InFlight;
  stringify(response: object): string;
  /** Set by the write. */
  outcome: Outcomes;
}

interface Outcomes {
  quotas: QuotaState[];
  replayed: boolean;
  /** Whether it changed anything, or would have. */
  changed: boolean;
}

/** Performs several writes and returns a response or an error for each, in order. */
export type Work<W> = (tx: Db, writes: W[]) => Promise<object[]>;

/** The result of a write: a serialized response or an error. */
type Outcome = string | ApiError;

/**
 * Performs one write. Effect, counters, quota and idempotency record commit together or not at all. Quotas are charged after
 * the work, so that failed calls don't count.
 */
export function performWrite(write: Write, work: (tx: Db) => Promise<object>): Promise<JsonText> {
  return performOnce(write, async () => {
    const outcomes = await performAll([write], async (tx) => [await work(tx)]);
    return outcomes.get(write);
  });
}

/**
 * Tries a write before its costly part, such as storing media, and rolls it back; throws what it would throw. Returns the
 * recorded response if its Idempotency-Key was used before, otherwise null.
 */
export async function rehearse(write: Write, work: (tx: Db) => Promise<object>): Promise<JsonText | null> {
  const { response, replayed } = await attempted(write, work);
  return replayed ? response : null;
}

/** The response that a write would get, or the recorded one for its Idempotency-Key. Leaves no trace. */
export async function attempted(write: Write, work: (tx: Db) => Promise<object>) {
  const trial: Write = { ...write, trial: true, dryRun: false, outcome: newOutcome() };
  const response = await performWrite(trial, work);
  const { replayed, changed } = trial.outcome;
  write.outcome.replayed = replayed;
  return { response, replayed, changed };
}

export const newOutcome = (): Outcomes => ({ quotas: [], replayed: false, changed: true });

/** Adds fields to a serialized JSON object. */
export function mergeIntoJson(response: string, fields: object): string {
  return `${response.slice(0, -1)},${JSON.stringify(fields).slice(1)}`;
}

/** Runs a write unless one with the same Idempotency-Key is in progress, and returns its response. */
export async function performOnce(
  { attempt, inFlight }: Write,
  run: () => Promise<Outcome | undefined>,
): Promise<JsonText> {
  const outcome = await (attempt ? inFlight.guard(attempt, run) : run());
  if (typeof outcome === "string") return new JsonText(outcome);
  throw outcome ?? new Error("the write has no outcome");
}

/**
 * Every write goes through here. Performs writes in one transaction. A write for which `work` returns an `ApiError` is rolled
 * back alone; an error that `work` throws is that of all of them.
 */
export async function performAll<W extends Write>(writes: W[], work: Work<W>): Promise<Map<W, Outcome>> {
  const outcomes = new Map<W, Outcome>();
  for (let left = writes; left.length > 0; left = writes.filter((write) => !outcomes.has(write))) {
    const { storage } = (left[0] as W).services;
    for (const [write, outcome] of await settled(storage.write((tx) => inTransaction(tx, left, work))))
      outcomes.set(write, outcome);
  }
  return outcomes;
}

/** Thrown to roll back a transaction; carries the outcomes of the writes that caused it. */
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
  const callers = writes.flatMap(({ caller }) => caller ?? []);
  const credentials = await recheckCredentials(tx, callers);
  const outcomes = await skipDeniedAndReplayed(tx, writes, credentials);
  const pending = writes.filter((write) => !outcomes.has(write));
  if (pending.length === 0) return outcomes;
  await useSignatures(
    tx,
    pending.flatMap(({ caller }) => caller ?? []),
  );
  const results = await work(tx, pending).catch((error) => {
    // These writes fail; the others keep their outcomes.
    const refused = refusal(error);
    for (const write of pending) outcomes.set(write, refused);
    throw new RolledBack(outcomes);
  });
  const refused = pending.flatMap((write, i) => {
    const response = results[i];
    return response instanceof ApiError ? [[write, response] as const] : [];
  });
  if (refused.length > 0) throw new RolledBack(new Map<W, Outcome>(refused));
  const responses = results.map((response, i) =>
    response instanceof JsonText ? response.text : (pending[i] as W).stringify(response),
  );
  await chargeQuotas(tx, pending, credentials);
  await recordActivity(tx, activityEntriesOf(pending, results, responses));
  for (const [i, write] of pending.entries()) {
    const response = responses[i] ?? "";
    write.outcome.changed = changedBy(results[i] ?? {}) === 1;
    if (write.trial) throw new RolledBack(new Map([[write, response]]));
    if (write.dryRun) throw new RolledBack(new Map([[write, mergeIntoJson(response, { dryRun: true })]]));
    if (write.attempt) await remember(tx, write.attempt, write.op, response, write.now);
    outcomes.set(write, response);
  }
  return outcomes;
}

/** What callers' credentials are worth now; those that have ended are missing. */
type Credentials = Map<Caller, CredentialStatus>;

/** Outcomes of writes that need not run: their caller lost access, or they are retries with a recorded response. */
async function skipDeniedAndReplayed<W extends Write>(
  tx: Db,
  writes: W[],
  credentials: Credentials,
): Promise<Map<W, Outcome>> {
  const outcomes = new Map<W, Outcome>();
  for (const write of writes) {
    const { caller } = write;
    const denied = caller && (await reauthorize(tx, write, caller, credentials.get(caller)));
    if (denied) outcomes.set(write, denied);
    else if (write.attempt) {
      const by = { userId: write.caller?.userId ?? 0, now: write.now };
      const recorded = await recall(tx, write.attempt, write.op, by).catch(refusal);
      write.outcome.replayed = typeof recorded === "string";
      if (recorded !== null) outcomes.set(write, recorded);
    }
  }
  return outcomes;
}

/** The error if a caller lost access since it was authorized; otherwise null. */
async function reauthorize(
  tx: Db,
  { op, now, services }: Write,
  caller: Caller,
  current: CredentialStatus | undefined,
): Promise<ApiError | null> {
  if (!current) return new ApiError("unauthorized", "This credential has just been revoked.");
  if (hasExpired(caller, services.now())) return new ApiError("key_expired");
  try {
    authorize(op, { ...caller, ...current });
    await refuseSuspended(tx, op, { ...caller, ...current }, now);
  } catch (error) {
    return refusal(error);
  }
  // Approval was switched on after the call was authorized. On retry, the call waits for it.
  const needsApproval = current.approval && caller.key?.approval === false && canWait(op.name);
  return needsApproval
    ? new ApiError(
        "overloaded",
        "This key now requires approval. Retry to submit the request for approval.",
        {
          retryAfter: 1,
        },
      )
    : null;
}

function refusal(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

/** Activity entries of writes made by agents and keys, except those that changed nothing. */
function activityEntriesOf(
  writes: readonly Write[],
  results: readonly object[],
  responses: readonly string[],
): ActivityEntry[] {
  return writes.flatMap((write, i) => {
    const { caller, dryRun, trial } = write;
    const result = results[i] ?? {};
    return caller?.byAi && !dryRun && !trial && isActivity(result)
      ? activityEntryOf({ ...write, caller }, result, responses[i] ?? "")
      : [];
  });
}

/** Charges the quotas of all writes; rolls back if one is used up. */
async function chargeQuotas<W extends Write>(tx: Db, writes: W[], credentials: Credentials): Promise<void> {
  const charged = writes.flatMap((write) => (write.caller ? [{ write, caller: write.caller }] : []));
  const tierFor = await tiersOf(tx, charged, credentials);
  const states = await chargeAll(
    tx,
    charged.map(({ write: { op, now, services }, caller }) => ({
      holder: holderOf(caller),
      allowances: allowancesOf(op, tierFor(caller), caller.key?.caps, services.config.limits),
      now,
    })),
  );
  const refused = new Map<W, Outcome>();
  for (const [i, { write }] of charged.entries()) {
    const error = rateLimitError(states[i] ?? []);
    if (error) refused.set(write, error);
    else if (!write.dryRun && !write.trial) write.outcome.quotas = states[i] ?? [];
  }
  if (refused.size > 0) throw new RolledBack(refused);
  // What anyone may call, such as asking for a decision again and again, proves nothing about a key.
  const proving = charged.filter(({ write }) => write.op.access.kind !== "anyone");
  const keys = proving.flatMap(({ caller }) => caller.key?.id ?? []);
  await countAccepted(tx, keys);
}

/** Callers' tiers before their writes, from their credentials as they were then. Null for a person's session. */
async function tiersOf(
  tx: Db,
  charged: { write: Write; caller: Caller }[],
  credentials: Credentials,
): Promise<(caller: Caller) => Tier | null> {
  const [first] = charged;
  if (!first) return () => null;
  const { now, services } = first.write;
  const { limits } = services.config;
  const agents = charged.flatMap(({ caller }) => (caller.isAgent && !caller.key ? caller.userId : []));
  const ofSessions = await agentTiers(tx, [...new Set(agents)], limits, now);
  return (caller) => {
    if (!caller.key && !caller.isAgent) return null;
    const progress = credentials.get(caller)?.progress;
    return progress ? tierOf(progress, limits, now) : (ofSessions.get(caller.userId) ?? firstTier);
  };
}

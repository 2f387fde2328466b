import { isWrite, type Operation } from "@tandem/contract/operation";
import type { Client } from "../media/fair-queue.ts";
import { decodingTimeOf } from "../media/worker-pool.ts";
import { ApiError } from "./api-error.ts";
import type { Caller } from "./caller.ts";
import { callerTier } from "./graduation.ts";
import { attemptHolder, hasRecord, idempotencyKey } from "./idempotency.ts";
import { LOOPBACK, networkOf } from "./network.ts";
import { allowancesOf, charge, holderOf, quotaStatus, rateLimitError } from "./quota.ts";
import type { Services } from "./services.ts";

/** What is checked before a request's body is read. */

/**
 * Refuses an upload whose quota is used up, or of a person whose files have taken this process too long in this hour, so that it
 * costs nothing. A retry whose response is recorded passes: it costs nothing either.
 */
export async function refuseExhausted(
  services: Services,
  op: Operation,
  { caller, person }: { caller: Caller | null; person: Client },
  idempotency: string | string[] | undefined,
): Promise<void> {
  const error = overspent(services, person) ?? (await usedUp(services, op, caller));
  if (!error) return;
  const { storage, now } = services;
  const key = idempotencyKey(idempotency);
  if (caller && key !== null && (await hasRecord(storage.read, attemptHolder(caller), key, now()))) return;
  throw error;
}

/** Fair turns alone would let one person use all idle time. */
function overspent({ config }: Services, person: Client): ApiError | null {
  const { milliseconds, left } = decodingTimeOf(person);
  if (milliseconds < config.limits.mediaSecondsPerHour * 1000) return null;
  return new ApiError("rate_limited", "Your uploads took too much processing time in this hour.", {
    retryAfter: Math.ceil(left / 1000),
  });
}

/** The write itself charges the quota, exactly. */
async function usedUp(services: Services, op: Operation, caller: Caller | null): Promise<ApiError | null> {
  if (!caller || !isWrite(op)) return null;
  const { storage, config } = services;
  const now = services.now();
  const tier = await callerTier(storage.read, caller, config.limits, now);
  const allowances = allowancesOf(op, tier, caller.key?.caps, config.limits);
  const states = await quotaStatus(storage.read, holderOf(caller), allowances, now);
  return rateLimitError(states.map((state) => (state.remaining === 0 ? { ...state, remaining: -1 } : state)));
}

/** Charges a dry run, which draws on no other quota. Its own transaction, because the dry run's is rolled back. */
export async function chargeDryRun(
  { storage, config, now }: Services,
  caller: Caller | null,
  address: string,
): Promise<void> {
  const of = caller ? caller.userId : (networkOf(address) ?? "unknown");
  // All clients on this machine share its address.
  if (of === LOOPBACK) return;
  const allowance = { name: "dryRuns", limit: config.limits.dryRunsPerMinute, seconds: 60 };
  await storage.write((tx) => charge(tx, `dry:${of}`, [allowance], now()));
}

/** The account that is responsible for a caller's uploads: for an agent, its operator. */
export async function responsiblePerson({ storage }: Services, { userId, isAgent }: Caller): Promise<number> {
  if (!isAgent) return userId;
  const agent = await storage.read
    .selectFrom("users")
    .select("operator_id")
    .where("id", "=", userId)
    .executeTakeFirst();
  return agent?.operator_id ?? userId;
}

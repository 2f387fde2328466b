import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { ApiError } from "../../http/api-error.ts";

/**
 * How many passwords are hashed concurrently. Each hash occupies a core and one of the four threads of Node's pool; this
 * leaves a core for other requests, and a thread for files and DNS.
 */
const MAX_RUNNING = Math.min(3, Math.max(1, availableParallelism() - 1));
/** A longer queue would make callers wait for seconds, so further ones are refused immediately. */
const MAX_QUEUED = 64;

export interface Cost {
  /** KiB of memory. */
  memoryCost: number;
  /** Passes over that memory. */
  timeCost: number;
}

/** OWASP's first recommendation for Argon2id. */
export const fullCost: Cost = { memoryCost: 19_456, timeCost: 2 };

let cost = fullCost;

/**
 * Sets the cost of new hashes, for tests that create thousands of accounts. A hash contains its own cost, so older ones
 * can still be verified.
 */
export function setHashCost(chosen: Cost): void {
  cost = chosen;
}

let running = 0;
const queue: (() => void)[] = [];

/** Hashes with Argon2id. Throws `overloaded` if the queue is full. */
export function hashPassword(password: string): Promise<string> {
  return limitConcurrency(() => hash(password, cost));
}

/**
 * Whether the password matches the hash. Without a hash it returns false, after the same time, so that timing doesn't
 * reveal who has an account. Throws `overloaded` if the queue is full.
 */
export function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  return limitConcurrency(async () => {
    const matches = await verify(passwordHash ?? (await placeholderHash()), password);
    return matches && passwordHash !== null;
  });
}

let placeholder: Promise<string> | undefined;

function placeholderHash(): Promise<string> {
  placeholder ??= hash("placeholder", cost);
  return placeholder;
}

async function limitConcurrency<T>(work: () => Promise<T>): Promise<T> {
  if (running < MAX_RUNNING) running += 1;
  else await waitInQueue();
  try {
    return await work();
  } finally {
    release();
  }
}

function waitInQueue(): Promise<void> {
  if (queue.length >= MAX_QUEUED)
    throw new ApiError("overloaded", "Too many people are signing in right now. Try again in a second.", {
      retryAfter: 1,
    });
  return new Promise((resolve) => queue.push(resolve));
}

/** Passes the slot on to the first in the queue, or frees it. */
function release(): void {
  const next = queue.shift();
  if (next) next();
  else running -= 1;
}

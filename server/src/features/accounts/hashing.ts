import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { ApiError } from "../../http/api-error.ts";

/**
 * How many passwords are hashed at once. Hashing keeps a core and one of Node's four threads busy; a core is left
 * for all other requests, and a thread for files and names.
 */
const AT_ONCE = Math.min(3, Math.max(1, availableParallelism() - 1));
/** More than this would wait for seconds: better to say so at once. */
const WAITING = 64;

export interface Cost {
  /** KiB of memory. */
  memoryCost: number;
  /** Passes over it. */
  timeCost: number;
}

/** What one try costs whoever guesses: OWASP's first choice for Argon2id. */
export const fullCost: Cost = { memoryCost: 19_456, timeCost: 2 };

let cost = fullCost;

/** For tests, which make accounts by the thousand; each hash says what it cost, so that any can be verified. */
export function hashAt(chosen: Cost): void {
  cost = chosen;
}

let running = 0;
const waiting: (() => void)[] = [];

/** Argon2id, in its turn. Throws `overloaded` where too many wait already. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, cost));
}

/**
 * Whether the password is the one that was hashed. Where there is no hash it is not, and that takes as long to say:
 * the time doesn't tell who has an account. Throws `overloaded` where too many wait already.
 */
export function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  return inTurn(async () => {
    const matches = await verify(passwordHash ?? (await nobodysHash()), password);
    return matches && passwordHash !== null;
  });
}

let nobodys: Promise<string> | undefined;

function nobodysHash(): Promise<string> {
  nobodys ??= hash("nobody", cost);
  return nobodys;
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < AT_ONCE) running += 1;
  else await nextPlace();
  try {
    return await work();
  } finally {
    leave();
  }
}

function nextPlace(): Promise<void> {
  if (waiting.length >= WAITING)
    throw new ApiError("overloaded", "Too many people are signing in at this moment.", { retryAfter: 1 });
  return new Promise((resolve) => waiting.push(resolve));
}

/** The place goes to whoever has waited longest, or is free again. */
function leave(): void {
  const next = waiting.shift();
  if (next) next();
  else running -= 1;
}

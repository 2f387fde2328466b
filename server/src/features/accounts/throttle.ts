import { isIP } from "node:net";
import type { Throttle } from "@tandem/contract/tiers";
import ipaddr from "ipaddr.js";
import { ApiError } from "../../http/api-error.ts";
import type { Context, SignedIn } from "../../http/context.ts";
import { charge } from "../../http/quota.ts";
import type { Db } from "../../storage/storage.ts";

/** Something that is slowed down: what it is called, and what an attempt at it counts against. */
export interface Attempt {
  /** Plural, as in "too many failed log-ins". */
  what: string;
  counts: Count[];
}

interface Count {
  name: Throttle;
  /** Whose count of that name it is. */
  of: string;
}

/**
 * A log-in for this name, from this address. Few guesses from one address about one account are borne; from all
 * addresses together many more, or else anybody could keep the owner out.
 */
export function logInAttempt(ctx: Context, name: string): Attempt {
  const account = name.toLowerCase();
  const pair = `${networkOf(ctx.address)} ${account}`;
  return {
    what: "failed log-ins",
    counts: [
      { name: "loginPerAccountAndAddress", of: pair },
      { name: "loginPerAccount", of: account },
      ...byAddress(ctx, "loginPerAddress"),
    ],
  };
}

export function signUpAttempt(ctx: Context): Attempt {
  return { what: "sign-ups", counts: byAddress(ctx, "signupPerAddress") };
}

export function nonceAttempt(ctx: Context): Attempt {
  return { what: "sign-ins", counts: byAddress(ctx, "noncePerAddress") };
}

/** A sign-in by a passkey: which cannot be guessed, but costs work to judge. */
export function passkeyAttempt(ctx: Context): Attempt {
  return { what: "failed log-ins", counts: byAddress(ctx, "loginPerAddress") };
}

/** A password given again in a session. */
export function passwordAttempt({ caller }: SignedIn): Attempt {
  return { what: "wrong passwords", counts: [{ name: "passwordPerAccount", of: String(caller.userId) }] };
}

/** Codes are short, so whoever guesses at one account is borne seldom, wherever the guesses come from. */
export function codeAttempt(userId: number): Attempt {
  return { what: "wrong codes", counts: [{ name: "secondFactorPerAccount", of: String(userId) }] };
}

/** A mail about an account, or to an address: nobody's letter-box is filled by us. */
export function mailAttempt(ctx: Context, address: string): Attempt {
  const accounts = [address.toLowerCase(), ...(ctx.caller ? [String(ctx.caller.userId)] : [])];
  return {
    what: "mails",
    counts: [
      ...accounts.map((of) => ({ name: "mailPerAccount", of }) as const),
      ...byAddress(ctx, "mailPerAddress"),
    ],
  };
}

export function tokenAttempt(ctx: Context): Attempt {
  return { what: "wrong links", counts: byAddress(ctx, "tokenPerAddress") };
}

export function exportAttempt({ caller }: SignedIn): Attempt {
  return { what: "exports", counts: [{ name: "exportPerAccount", of: String(caller.userId) }] };
}

/** Everyone on this machine shares the loopback address, so it alone slows nobody (decisions: small print). */
function byAddress({ address }: Context, name: Throttle): Count[] {
  const of = networkOf(address);
  return of === HERE ? [] : [{ name, of }];
}

const HERE = "here";

/** Whom an address stands for: an IPv6 customer holds a whole /64, so its addresses count as one. */
function networkOf(address: string): string {
  if (!isIP(address)) return HERE;
  const parsed = ipaddr.process(address);
  if (parsed.range() === "loopback") return HERE;
  return parsed.kind() === "ipv4" ? parsed.toString() : parsed.toByteArray().slice(0, 8).join(".");
}

/**
 * Counts an attempt, then judges it: attempts in parallel can't slip by. One that the service was too busy to judge
 * is taken off again. Throws `rate_limited`.
 */
export async function counted<T>(ctx: Context, attempt: Attempt, judge: () => Promise<T>): Promise<T> {
  await ctx.services.storage.write((tx) => count(ctx, tx, attempt));
  try {
    return await judge();
  } catch (error) {
    if (error instanceof ApiError && error.code === "overloaded") await forgive(ctx, attempt);
    throw error;
  }
}

/** Counts an attempt in the transaction of what is attempted. Throws `rate_limited`, with the longest wait of any. */
export async function count(ctx: Context, tx: Db, { what, counts }: Attempt): Promise<void> {
  let wait = 0;
  for (const one of counts) wait = Math.max(wait, await chargeOne(ctx, tx, one));
  if (wait === 0) return;
  const duration = `${wait} second${wait === 1 ? "" : "s"}`;
  throw new ApiError("rate_limited", `Too many ${what}; try again in ${duration}.`, { retryAfter: wait });
}

/** How many seconds to wait before there is room in this count again; 0 if there is some. */
async function chargeOne(ctx: Context, tx: Db, one: Count): Promise<number> {
  const { seconds, limit } = ctx.services.config.limits.throttles[one.name];
  try {
    await charge(tx, holderOf(one), [{ name: one.name, limit, seconds }], ctx.now);
    return 0;
  } catch (error) {
    if (error instanceof ApiError && error.code === "rate_limited") return error.retryAfter ?? seconds;
    throw error;
  }
}

/** An attempt that was right was no guess: it is taken off its counts again, and a count of nothing goes. */
export async function forgive(ctx: Context, { counts }: Attempt): Promise<void> {
  await ctx.services.storage.write(async (tx) => {
    for (const holder of counts.map(holderOf)) {
      await tx.deleteFrom("quota_windows").where("holder", "=", holder).where("used", "<=", 1).execute();
      await tx
        .updateTable("quota_windows")
        .set((eb) => ({ used: eb("used", "-", 1) }))
        .where("holder", "=", holder)
        .execute();
    }
  });
}

function holderOf({ name, of }: Count): string {
  return `${name}:${of}`;
}

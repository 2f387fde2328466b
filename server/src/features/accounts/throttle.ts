import type { Throttle } from "@tandem/contract/tiers";
import { ApiError } from "../../http/api-error.ts";
import type { Context, SignedIn } from "../../http/context.ts";
import { inWords } from "../../http/duration.ts";
import { LOOPBACK, networkOf, siteOf } from "../../http/network.ts";
import { charge } from "../../http/quota.ts";
import type { Db } from "../../storage/storage.ts";
import type { KnownPlaces } from "./known-places.ts";

/** An attempt at something that is throttled. */
export interface Attempt {
  /** Plural, as in "too many failed logins". */
  what: string;
  /** The counters that it increments. */
  counters: Counter[];
}

interface Counter {
  name: Throttle;
  /** The account, address or network that the attempt counts for. */
  of: string;
}

/**
 * A login to this account from this client. The limit per account and address is low. The limit per account, over all
 * unknown addresses, is much higher, and leaves out devices and networks that have logged in before: or else anyone with
 * enough addresses could lock the owner out. A known device counts on its own, so that others in its network can't either.
 */
export function logInAttempt(ctx: Context, login: string, { device, network }: KnownPlaces): Attempt {
  const account = login.toLowerCase();
  const what = "failed logins";
  if (device !== null) return { what, counters: [{ name: "loginPerAccountAndAddress", of: device }] };
  const pair = `${networkOf(ctx.address) ?? UNKNOWN} ${account}`;
  return {
    what,
    counters: [
      { name: "loginPerAccountAndAddress", of: pair },
      ...(network ? [] : [{ name: "loginPerAccount", of: account } as const]),
      ...byAddress(ctx, "loginPerAddress"),
    ],
  };
}

export function signUpAttempt(ctx: Context): Attempt {
  return { what: "sign-ups", counters: byAddress(ctx, "signupPerAddress") };
}

/** A sign-up that waits for approval. */
export function signUpRequestAttempt(ctx: Context): Attempt {
  return { what: "sign-ups", counters: byAddress(ctx, "signupRequestsPerAddress") };
}

/** An invitation by someone who isn't an admin. */
export function invitationAttempt({ caller }: SignedIn): Attempt {
  return { what: "invitations", counters: [{ name: "invitationsPerAccount", of: String(caller.userId) }] };
}

export function nonceAttempt(ctx: Context): Attempt {
  return { what: "sign-ins", counters: byAddress(ctx, "noncePerAddress") };
}

/** A passkey sign-in: it can't be guessed, but is costly to verify. */
export function passkeyAttempt(ctx: Context): Attempt {
  return { what: "failed logins", counters: byAddress(ctx, "loginPerAddress") };
}

/** A password that is asked for again within a session. */
export function passwordAttempt({ caller }: SignedIn): Attempt {
  return { what: "wrong passwords", counters: [{ name: "passwordPerAccount", of: String(caller.userId) }] };
}

/** Codes are short, so guesses are limited per account, from all clients together. */
export function codeAttempt(userId: number): Attempt {
  return { what: "wrong codes", counters: [{ name: "secondFactorPerAccount", of: String(userId) }] };
}

/** A mail to an address or about an account: limited so that no one's inbox can be flooded. */
export function mailAttempt(ctx: Context, address: string): Attempt {
  const accounts = [address.toLowerCase(), ...(ctx.caller ? [String(ctx.caller.userId)] : [])];
  return {
    what: "mails",
    counters: [
      ...accounts.map((of) => ({ name: "mailPerAccount", of }) as const),
      ...byAddress(ctx, "mailPerAddress"),
    ],
  };
}

/** The code of a device that someone enters. */
export function deviceCodeAttempt({ caller }: SignedIn): Attempt {
  return {
    what: "wrong codes",
    counters: [{ name: "deviceCodesPerAccount", of: String(caller.userId) }],
  };
}

export function tokenAttempt(ctx: Context): Attempt {
  return { what: "wrong links", counters: byAddress(ctx, "tokenPerAddress") };
}

export function exportAttempt({ caller }: SignedIn): Attempt {
  return { what: "exports", counters: [{ name: "exportPerAccount", of: String(caller.userId) }] };
}

export function importAttempt({ caller }: SignedIn): Attempt {
  return { what: "imports", counters: [{ name: "importPerAccount", of: String(caller.userId) }] };
}

/** An agent that is created: each has limits of its own, so deleting agents for new ones mustn't renew them. */
export function agentAttempt({ caller }: SignedIn): Attempt {
  return { what: "new agents", counters: [{ name: "newAgentsPerAccount", of: String(caller.userId) }] };
}

/** An agent's request for an account. The list of those that wait is short, and a line with IPv6 has many networks. */
export function agentRequestAttempt(ctx: Context): Attempt {
  const site = siteOf(ctx.address);
  return {
    what: "requests for an agent",
    counters: [
      ...byAddress(ctx, "agentRequestsPerAddress"),
      ...(site === null ? [] : [{ name: "agentRequestsPerSite", of: site } as const]),
    ],
  };
}

/** The code of an agent's request: short enough to type, so guesses are limited. */
export function requestCodeAttempt({ caller }: SignedIn): Attempt {
  return { what: "wrong codes", counters: [{ name: "wrongCodesPerAccount", of: String(caller.userId) }] };
}

/** Something that anyone may do often, without an account. */
export function addressAttempt(what: string, address: string, name: Throttle): Attempt {
  return { what, counters: byAddress({ address }, name) };
}

/** Loopback addresses aren't throttled by address: every client on this machine shares them. */
function byAddress({ address }: Pick<Context, "address">, name: Throttle): Counter[] {
  const of = networkOf(address) ?? UNKNOWN;
  return of === LOOPBACK ? [] : [{ name, of }];
}

/** All clients whose address isn't known count together. */
const UNKNOWN = "unknown";

/**
 * Counts an attempt, then runs `verify`. Counting first means that parallel attempts can't exceed the limit. If the
 * service was too busy to verify it, the attempt is uncounted. Throws `rate_limited`.
 */
export async function limitAttempts<T>(ctx: Context, attempt: Attempt, verify: () => Promise<T>): Promise<T> {
  await ctx.services.storage.write((tx) => countAttempt(ctx, tx, attempt));
  try {
    return await verify();
  } catch (error) {
    if (error instanceof ApiError && error.code === "overloaded") await refundAttempt(ctx, attempt);
    throw error;
  }
}

/** Counts an attempt in the transaction of what is attempted. Throws `rate_limited` with the longest wait of its counters. */
export async function countAttempt(
  ctx: Pick<Context, "services" | "now">,
  tx: Db,
  { what, counters }: Attempt,
): Promise<void> {
  let wait = 0;
  for (const counter of counters) wait = Math.max(wait, await chargeCounter(ctx, tx, counter));
  if (wait === 0) return;
  throw new ApiError("rate_limited", `Too many ${what}; try again in ${inWords(wait)}.`, {
    retryAfter: wait,
  });
}

/** Returns 0, or the seconds until the counter has room again. */
async function chargeCounter(
  ctx: Pick<Context, "services" | "now">,
  tx: Db,
  counter: Counter,
): Promise<number> {
  const { seconds, limit } = ctx.services.config.limits.throttles[counter.name];
  try {
    await charge(tx, holderOf(counter), [{ name: counter.name, limit, seconds }], ctx.now);
    return 0;
  } catch (error) {
    if (error instanceof ApiError && error.code === "rate_limited") return error.retryAfter ?? seconds;
    throw error;
  }
}

/** Uncounts a successful attempt: only failures are limited. Deletes counters that reach 0. */
export async function refundAttempt(ctx: Context, { counters }: Attempt): Promise<void> {
  await ctx.services.storage.write(async (tx) => {
    for (const holder of counters.map(holderOf)) {
      await tx.deleteFrom("quota_windows").where("holder", "=", holder).where("used", "<=", 1).execute();
      await tx
        .updateTable("quota_windows")
        .set((eb) => ({ used: eb("used", "-", 1) }))
        .where("holder", "=", holder)
        .execute();
    }
  });
}

function holderOf({ name, of }: Counter): string {
  return `${name}:${of}`;
}

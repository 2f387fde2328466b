import { isIP } from "node:net";
import type { Throttle } from "@tandem/contract/tiers";
import ipaddr from "ipaddr.js";
import type { Context } from "../../http/context.ts";
import { charge } from "../../http/quota.ts";
import type { Db } from "../../storage/storage.ts";

interface Count {
  name: Throttle;
  holder: string;
}

/** What a log-in for this name, from this address, counts against. */
export function loginCounts(ctx: Context, name: string): Count[] {
  return [
    { name: "loginPerAccount", holder: `login:${name.toLowerCase()}` },
    ...byAddress(ctx, "loginPerAddress"),
  ];
}

export function signUpCounts(ctx: Context): Count[] {
  return byAddress(ctx, "signupPerAddress");
}

/** Everyone on this machine shares the loopback address, so it alone slows nobody (decisions: small print). */
function byAddress(ctx: Context, name: Throttle): Count[] {
  const holder = throttledAddress(ctx.address);
  return holder ? [{ name, holder: `${name}:${holder}` }] : [];
}

/** An IPv6 customer holds a whole /64: its addresses count as one. */
function throttledAddress(address: string): string | null {
  if (!isIP(address)) return null;
  const parsed = ipaddr.process(address);
  if (parsed.range() === "loopback") return null;
  return parsed.kind() === "ipv4" ? parsed.toString() : parsed.toByteArray().slice(0, 8).join(".");
}

/** Counts an attempt before it is judged, so that attempts in parallel can't slip by. Throws `rate_limited`. */
export async function countAttempt(ctx: Context, counts: Count[]): Promise<void> {
  await ctx.house.storage.write(async (tx) => {
    for (const count of counts) await attempt(ctx, tx, count);
  });
}

export async function attempt(ctx: Context, tx: Db, { name, holder }: Count): Promise<void> {
  const { seconds, limit } = ctx.house.config.limits.throttles[name];
  await charge(tx, holder, [{ name, limit, seconds }], ctx.now);
}

/** A success was no guess: it is taken off the counts again, and a count of nothing goes. */
export async function forgive(tx: Db, counts: Count[]): Promise<void> {
  for (const { holder } of counts) {
    await tx.deleteFrom("quota_windows").where("holder", "=", holder).where("used", "<=", 1).execute();
    await tx
      .updateTable("quota_windows")
      .set((eb) => ({ used: eb("used", "-", 1) }))
      .where("holder", "=", holder)
      .where("used", ">", 0)
      .execute();
  }
}

import { limits } from "@tandem/contract/limits";
import { MAX_ID } from "@tandem/contract/schema";
import { type Quota, quotaNames } from "@tandem/contract/tiers";
import type { Handlers, SignedIn } from "../../http/context.ts";
import { callerKey } from "../../http/credential.ts";
import { nextTierOf, strikesEndAt } from "../../http/graduation.ts";
import { allowance, keysHolder, quotaStatus } from "../../http/quota.ts";
import { countStrikes } from "../moderation/strikes.ts";
import { asOwnActivity, ofKey } from "./activity.ts";
import { asKey, type FoundKey, findOwnKey, selectKeys } from "./keys.queries.ts";

export const ownKey = {
  readOwnKey: async (ctx) => {
    const row = await selectKeys(ctx.read)
      .where("k.id", "=", ctx.caller.key?.id ?? 0)
      .executeTakeFirstOrThrow();
    const range = { before: MAX_ID, limit: limits.recentActivity };
    const [status, writes] = await Promise.all([
      keyStatus(ctx, row),
      ofKey(ctx.read, row.id, [row.user_id], range).execute(),
    ]);
    return { ...status, recentActivity: await asOwnActivity(ctx.read, writes) };
  },
  readKey: async (ctx, { id }) => keyStatus(ctx, await findOwnKey(ctx.read, id, ctx.caller.userId)),
} satisfies Handlers<"readOwnKey" | "readKey">;

async function keyStatus(ctx: SignedIn, row: FoundKey) {
  const { read, services, now } = ctx;
  const { limits } = services.config;
  const key = asKey(row, ctx);
  const { caps } = callerKey(row);
  const allowances = quotaNames.map((name) => allowance(name, key.tier, caps, limits));
  const states = await quotaStatus(read, keysHolder(row.user_id), allowances, now);
  const perQuota = (figure: "limit" | "remaining") =>
    Object.fromEntries(states.map((state) => [state.name, state[figure]])) as Record<Quota, number>;
  const end = strikesEndAt(row.last_strike_at, limits, now);
  const strikes = end === null ? 0 : await countStrikes(read, row.user_id, limits, now);
  return {
    key,
    scopes: row.scopes,
    tier: key.tier,
    limits: perQuota("limit"),
    remaining: perQuota("remaining"),
    paused: row.paused + row.account_paused > 0,
    acceptedWrites: row.accepted_writes,
    strikes,
    strikesEndAt: end === null ? null : new Date(end).toISOString(),
    nextTier: nextTierOf(row, strikes, limits, now),
  };
}

import { type Quota, quotaNames } from "@tandem/contract/tiers";
import type { Selectable } from "kysely";
import type { Handlers, SignedIn } from "../../http/context.ts";
import { callerKey } from "../../http/credential.ts";
import { nextTierOf } from "../../http/graduation.ts";
import { allowance, keyHolder, quotaStatus } from "../../http/quota.ts";
import type { KeyRow } from "../../storage/schema/agents.ts";
import { asKey, noSuchKey } from "./keys.queries.ts";

export const ownKey = {
  readOwnKey: async (ctx) => {
    const row = await keysOf(ctx)
      .where("id", "=", ctx.caller.key?.id ?? 0)
      .executeTakeFirstOrThrow();
    return keyStatus(ctx, row);
  },
  readKey: async (ctx, { id }) => {
    const own = keysOf(ctx).where("id", "=", id).where("owner_id", "=", ctx.caller.userId);
    const row = await own.executeTakeFirst();
    if (!row) throw noSuchKey();
    return keyStatus(ctx, row);
  },
} satisfies Handlers<"readOwnKey" | "readKey">;

const keysOf = ({ read }: SignedIn) => read.selectFrom("keys").selectAll();

async function keyStatus({ read, services, now }: SignedIn, row: Selectable<KeyRow>) {
  const { caps } = callerKey(row);
  const { limits } = services.config;
  const allowances = quotaNames.map((name) => allowance(name, row.tier, caps, limits));
  const states = await quotaStatus(read, keyHolder(row.id), allowances, now);
  const perQuota = (figure: "limit" | "remaining") =>
    Object.fromEntries(states.map((state) => [state.name, state[figure]])) as Record<Quota, number>;
  return {
    key: asKey(row),
    scopes: row.scopes,
    tier: row.tier,
    limits: perQuota("limit"),
    remaining: perQuota("remaining"),
    acceptedWrites: row.accepted_writes,
    strikes: row.strikes,
    nextTier: nextTierOf(row, limits, now),
  };
}

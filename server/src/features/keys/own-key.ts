import { type Quota, quotaNames } from "@tandem/contract/tiers";
import type { Handlers } from "../../http/context.ts";
import { callerKey } from "../../http/credential.ts";
import { wayUp } from "../../http/graduation.ts";
import { allowance, holderOf, standing } from "../../http/quota.ts";
import { asKey } from "./keys.queries.ts";

export const ownKey = {
  readOwnKey: async ({ caller, read, house, now }) => {
    const row = await read
      .selectFrom("keys")
      .selectAll()
      .where("id", "=", caller.key?.id ?? 0)
      .executeTakeFirstOrThrow();
    const { limits } = house.config;
    const { caps } = callerKey(row);
    const allowances = quotaNames.map((name) => allowance(name, row.tier, caps, limits));
    const states = await standing(read, holderOf(caller), allowances, now);
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
      nextTier: wayUp(row, limits, now),
    };
  },
} satisfies Handlers<"readOwnKey">;

import { MINUTE } from "@tandem/contract/durations";
import { routeOf } from "@tandem/contract/hints";
import { limits } from "@tandem/contract/limits";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import type { Role } from "@tandem/contract/resources";
import { MAX_ID } from "@tandem/contract/schema";
import { tierNames } from "@tandem/contract/tiers";
import { sql } from "kysely";
import { ApiError } from "../../http/api-error.ts";
import type { Handlers } from "../../http/context.ts";
import { pageOf } from "../../http/page.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";
import { requireRecentProof } from "../accounts/reauthentication.ts";
import { accountOf, asAccount, asJudgedKey, selectAccounts, selectKeys } from "./accounts.queries.ts";
import { asDecision, selectDecisions } from "./decisions.queries.ts";

export const accounts = {
  async listAccounts(ctx, input) {
    const { limit = limits.page.default, q } = input;
    const rows = await accountsLike(ctx.read, input, ctx.now)
      // A search by name has one page only.
      .limit(q === undefined ? limit + 1 : limit)
      .execute();
    const { page, nextCursor } = pageOf(ctx, rows, limit);
    return { users: page.map((row) => asAccount(row, ctx)), nextCursor };
  },
  async readAccount(ctx, { id }) {
    const { read, now } = ctx;
    const user = await accountOf(read, id, ctx);
    const keys = await selectKeys(read)
      .where((eb) => eb.or([eb("k.user_id", "=", id), eb("k.owner_id", "=", id)]))
      .orderBy("k.id", "desc")
      .execute();
    const decided = await selectDecisions(read)
      .where("d.user_id", "=", id)
      // Anyone can create a community and ban accounts from it.
      .where("d.community_id", "is", null)
      .limit(limits.page.default)
      .execute();
    return {
      user,
      keys: keys.map((key) => asJudgedKey(key, ctx)),
      decisions: decided.map((row) => asDecision(row, now)),
    };
  },
  setRole: (ctx, { id, role }) =>
    ctx.write(async (tx) => {
      await requireRecentProof(tx, ctx, limits.provenMinutes * MINUTE);
      // Both, in order: two admins who demote each other at the same time must not leave none.
      for (const one of [id, ctx.caller.userId].toSorted((a, b) => a - b)) await lockAccount(tx, one);
      if ((await accountOf(tx, ctx.caller.userId, ctx)).role !== "admin")
        throw new ApiError("forbidden", "Only admins can do this.");
      const user = await accountOf(tx, id, ctx);
      if (id === ctx.caller.userId) throw new ApiError("forbidden", "You can't change your own role.");
      if (user.role === "agent") throw new ApiError("forbidden", "Only people can be admins.");
      await tx.updateTable("users").set({ role }).where("id", "=", id).execute();
      return { user: { ...user, role } };
    }),
  setKeyTier: (ctx, { id, tier }) =>
    ctx.write(async (tx) => {
      const before = await selectKeys(tx).where("k.id", "=", id).executeTakeFirst();
      if (!before)
        throw new ApiError("not_found", "There is no such key.", {
          hint: `An account's keys are in ${routeOf("readAccount")}.`,
        });
      // A lowered tier is held, or else it would rise again at once.
      const current = asJudgedKey(before, ctx).tier;
      const lowered = tierNames.indexOf(tier) < tierNames.indexOf(current) ? 1 : 0;
      const tier_held = tier === current ? before.tier_held : lowered;
      await tx
        .updateTable("keys")
        .set({ tier, tier_held, tier_set_at: ctx.now })
        .where("id", "=", id)
        .execute();
      return { key: asJudgedKey({ ...before, tier, tier_held, tier_set_at: ctx.now }, ctx) };
    }),
} satisfies Handlers<"listAccounts" | "readAccount" | "setRole" | "setKeyTier">;

/** Sorts after every character that a username can contain. */
const AFTER_LAST_CHARACTER = "\x7f";

/** The expression of a partial index that contains only suspended accounts. */
const suspendedId = sql<number>`(case when u.suspended_until is not null then u.id end)`;

/** Every combination of filters uses an index: on names, or on ids with the other filter. */
export function accountsLike(db: Db, input: Input<Operations["listAccounts"]>, now: number) {
  const { q, role, suspended, cursor = MAX_ID } = input;
  const key = q?.toLowerCase();
  const name = sql<string>`(u.username_key ${db.engine.binaryCollation})`;
  const id = suspended === 1 ? suspendedId : sql<number>`u.id`;
  // If another filter is more selective, `coalesce` keeps the planner from using the index on roles.
  const ofRole = suspended === 1 || key !== undefined ? sql<Role>`coalesce(u.role, null)` : sql<Role>`u.role`;
  return selectAccounts(db)
    .$if(role !== undefined, (query) => query.where(ofRole, "=", role ?? "user"))
    .$if(suspended === 1, (query) => query.where("u.suspended_until", ">", now))
    .$if(key !== undefined, (query) =>
      query
        .where(name, ">=", key ?? "")
        .where(name, "<", `${key}${AFTER_LAST_CHARACTER}`)
        .orderBy(name),
    )
    .$if(key === undefined, (query) => query.where(id, "<", cursor).orderBy(id, "desc"));
}

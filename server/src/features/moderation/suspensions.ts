import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { sql } from "kysely";
import { ApiError, invalid } from "../../http/api-error.ts";
import type { Handlers, SignedIn } from "../../http/context.ts";
import { FOR_GOOD } from "../../http/suspension.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";
import { accountOf, noSuchAccount } from "./accounts.queries.ts";
import { closeCase, recordDecision, undoDecision } from "./decide.ts";
import { asDecision, type FoundDecision, selectDecisions } from "./decisions.queries.ts";
import { aboutName } from "./excerpts.ts";

export const suspensions = {
  suspendAccount: (ctx, input) =>
    ctx.write(async (tx) => ({ decision: asDecision(await suspendBy(ctx, tx, input), ctx.now) })),
  liftSuspension: (ctx, { id }) =>
    ctx.write(async (tx) => {
      await lockAccount(tx, id);
      await accountOf(tx, id, ctx);
      for (const suspension of await activeSuspensions(tx, id)) await lift(tx, suspension, ctx.now);
      return { user: await accountOf(tx, id, ctx) };
    }),
} satisfies Handlers<"suspendAccount" | "liftSuspension">;

async function suspendBy({ now }: SignedIn, tx: Db, input: Input<Operations["suspendAccount"]>) {
  const { id, reason, until } = input;
  return suspend(tx, id, { reason, until: endOf(until, now), now });
}

/** In milliseconds since 1970; null means permanently. Throws `invalid_input` for a time in the past. */
export function endOf(until: string | null | undefined, now: number): number | null {
  if (until == null) return null;
  const at = Date.parse(until);
  if (at <= now) throw invalid("until", "until must be in the future.");
  return at;
}

interface Term {
  reason: string;
  until: number | null;
  now: number;
}

/** Suspends an account and its agents. Replaces a current suspension. Throws `not_found`, or `forbidden` for an admin. */
export async function suspend(tx: Db, userId: number, { reason, until, now }: Term): Promise<FoundDecision> {
  await lockAccount(tx, userId);
  const account = await tx
    .selectFrom("users")
    .select(["id", "username", "role"])
    .where("id", "=", userId)
    .executeTakeFirst();
  if (!account) throw noSuchAccount();
  if (account.role === "admin")
    throw new ApiError("forbidden", "An admin can't be suspended. Remove the admin role first.");
  await endSuspensions(tx, userId, now);
  await closeCase(tx, "account", userId, "suspended", now);
  const decision = await recordDecision(tx, {
    act: "suspend",
    user_id: userId,
    community_id: null,
    ...aboutName(account.username),
    ...{ reason, automated: 0, until_at: until, created_at: now },
  });
  await updateSuspendedUntil(tx, userId);
  return decision;
}

/** Ends a suspension, and notifies the account and its operator. */
export async function lift(tx: Db, suspension: FoundDecision, now: number): Promise<FoundDecision> {
  const lifted = await undoDecision(tx, suspension, now);
  if (suspension.user_id !== null) await updateSuspendedUntil(tx, suspension.user_id);
  return lifted;
}

function activeSuspensions(tx: Db, userId: number): Promise<FoundDecision[]> {
  return selectDecisions(tx)
    .where("d.user_id", "=", userId)
    .where("d.act", "=", "suspend")
    .where("d.undone_at", "is", null)
    .execute();
}

async function endSuspensions(tx: Db, userId: number, now: number): Promise<void> {
  await tx
    .updateTable("decisions")
    .set({ undone_at: now })
    .where("user_id", "=", userId)
    .where("act", "=", "suspend")
    .where("undone_at", "is", null)
    .execute();
}

/** Copies the end of the suspension to the rows of the account and its agents, where every authentication reads it. */
async function updateSuspendedUntil(tx: Db, userId: number): Promise<void> {
  await sql`
    update users set suspended_until = (
      select max(coalesce(d.until_at, ${sql.lit(FOR_GOOD)})) from decisions d
      where d.act = 'suspend' and d.undone_at is null and d.user_id in (users.id, users.operator_id)
    )
    where id = ${userId} or operator_id = ${userId}`.execute(tx);
}

import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { sql } from "kysely";
import { ApiError, invalid, notFound } from "../../http/api-error.ts";
import type { Handlers, SignedIn } from "../../http/context.ts";
import { FOR_GOOD } from "../../http/suspension.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";
import { accountOf } from "./accounts.queries.ts";
import { closeCase, decide, undo } from "./decide.ts";
import { asDecision, type Decided, selectDecisions } from "./decisions.queries.ts";

export const suspensions = {
  suspendAccount: (ctx, input) =>
    ctx.write(async (tx) => ({ decision: asDecision(await suspendBy(ctx, tx, input), ctx.now) })),
  liftSuspension: ({ write, now }, { id }) =>
    write(async (tx) => {
      await lockAccount(tx, id);
      await accountOf(tx, id, now);
      for (const standing of await suspending(tx, id)) await lift(tx, standing, now);
      return { user: await accountOf(tx, id, now) };
    }),
} satisfies Handlers<"suspendAccount" | "liftSuspension">;

async function suspendBy({ now }: SignedIn, tx: Db, input: Input<Operations["suspendAccount"]>) {
  const { id, reason, until } = input;
  return suspend(tx, id, { reason, until: endOf(until, now), now });
}

/** Milliseconds since 1970, or null for good. Throws where that has passed. */
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

/** Suspends an account, and with it its agents; another term takes the place of one that runs. Throws `not_found`, `forbidden`. */
export async function suspend(tx: Db, userId: number, { reason, until, now }: Term): Promise<Decided> {
  await lockAccount(tx, userId);
  const account = await tx
    .selectFrom("users")
    .select(["id", "username", "role"])
    .where("id", "=", userId)
    .executeTakeFirst();
  if (!account) throw notFound("account");
  if (account.role === "admin")
    throw new ApiError("forbidden", "An admin can't be suspended: the role must go first.");
  const ended = { undone_at: now };
  await suspendingRows(tx, userId).set(ended).execute();
  await closeCase(tx, "account", userId, "suspended", now);
  const decided = await decide(tx, {
    act: "suspend",
    user_id: userId,
    ...{ post_id: null, comment_id: null, key_id: null },
    ...{ excerpt: account.username, reason, automated: 0, until_at: until, created_at: now },
  });
  await carryOver(tx, userId);
  return decided;
}

/** Ends a suspension, and tells those concerned. */
export async function lift(tx: Db, standing: Decided, now: number): Promise<Decided> {
  const lifted = await undo(tx, standing, now);
  if (standing.user_id !== null) await carryOver(tx, standing.user_id);
  return lifted;
}

function suspending(tx: Db, userId: number): Promise<Decided[]> {
  return selectDecisions(tx)
    .where("d.user_id", "=", userId)
    .where("d.act", "=", "suspend")
    .where("d.undone_at", "is", null)
    .execute();
}

function suspendingRows(tx: Db, userId: number) {
  return tx
    .updateTable("decisions")
    .where("user_id", "=", userId)
    .where("act", "=", "suspend")
    .where("undone_at", "is", null);
}

/** Has the rows of an account and of its agents say until when they can't write: it is read with every credential. */
async function carryOver(tx: Db, userId: number): Promise<void> {
  await sql`
    update users set suspended_until = (
      select max(coalesce(d.until_at, ${sql.lit(FOR_GOOD)})) from decisions d
      where d.act = 'suspend' and d.undone_at is null and d.user_id in (users.id, users.operator_id)
    )
    where id = ${userId} or operator_id = ${userId}`.execute(tx);
}

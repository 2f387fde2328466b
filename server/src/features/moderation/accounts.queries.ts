import type { Account, JudgedKey } from "@tandem/contract/moderation";
import { notFound } from "../../http/api-error.ts";
import type { Db } from "../../storage/storage.ts";

/** Accounts with what admins see of them. */
export function selectAccounts(db: Db) {
  return db
    .selectFrom("users as u")
    .leftJoin("users as operator", "operator.id", "u.operator_id")
    .select(["u.id", "u.username", "u.role", "u.suspended_until", "u.created_at"])
    .select("operator.username as operator");
}

type AccountRow = Awaited<ReturnType<ReturnType<typeof selectAccounts>["executeTakeFirstOrThrow"]>>;

/** Throws `not_found`. */
export async function accountOf(db: Db, id: number, now: number): Promise<Account> {
  const row = await selectAccounts(db).where("u.id", "=", id).executeTakeFirst();
  if (!row) throw notFound("account");
  return asAccount(row, now);
}

export function asAccount({ suspended_until, created_at, ...row }: AccountRow, now: number): Account {
  const suspended = suspended_until !== null && suspended_until > now;
  return {
    ...row,
    suspendedUntil: suspended ? new Date(suspended_until).toISOString() : null,
    createdAt: new Date(created_at).toISOString(),
  };
}

/** Keys with what admins see of them. */
export function selectKeys(db: Db) {
  return db
    .selectFrom("keys as k")
    .innerJoin("users as u", "u.id", "k.user_id")
    .select(["k.id", "k.name", "k.hint", "k.scopes", "k.tier", "k.created_at", "k.last_used_at"])
    .select(["k.strikes", "k.accepted_writes", "k.tier_held", "u.username"]);
}

type KeyRow = Awaited<ReturnType<ReturnType<typeof selectKeys>["executeTakeFirstOrThrow"]>>;

export function asJudgedKey({
  accepted_writes,
  created_at,
  last_used_at,
  tier_held: _,
  ...row
}: KeyRow): JudgedKey {
  return {
    ...row,
    acceptedWrites: accepted_writes,
    createdAt: new Date(created_at).toISOString(),
    lastUsedAt: last_used_at === null ? null : new Date(last_used_at).toISOString(),
  };
}

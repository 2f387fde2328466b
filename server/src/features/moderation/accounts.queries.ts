import { routeOf } from "@tandem/contract/hints";
import type { Account, JudgedKey } from "@tandem/contract/moderation";
import { ApiError } from "../../http/api-error.ts";
import type { Context } from "../../http/context.ts";
import { progressColumns, strikesEndAt, tierOf } from "../../http/graduation.ts";
import type { Db } from "../../storage/storage.ts";

/** Accounts with what admins see of them. */
export function selectAccounts(db: Db) {
  return db
    .selectFrom("users as u")
    .leftJoin("users as operator", "operator.id", "u.operator_id")
    .leftJoin("users as inviter", "inviter.id", "u.invited_by")
    .select(["u.id", "u.username", "u.role", "u.suspended_until", "u.last_strike_at", "u.created_at"])
    .select(["u.display_name as displayName", "u.avatar_url as avatarUrl", "u.banner_url as bannerUrl"])
    .select(["operator.username as operator", "operator.display_name as operatorDisplayName"])
    .select(["inviter.username as invitedBy", "inviter.display_name as invitedByDisplayName"]);
}

type AccountRow = Awaited<ReturnType<ReturnType<typeof selectAccounts>["executeTakeFirstOrThrow"]>>;

/** Throws `not_found`. */
export async function accountOf(db: Db, id: number, at: At): Promise<Account> {
  const row = await selectAccounts(db).where("u.id", "=", id).executeTakeFirst();
  if (!row) throw noSuchAccount();
  return asAccount(row, at);
}

/** The settings and the time that decide what is in force. */
type At = Pick<Context, "services" | "now">;

export function asAccount(
  { suspended_until, last_strike_at, created_at, ...row }: AccountRow,
  { services, now }: At,
): Account {
  const suspended = suspended_until !== null && suspended_until > now;
  const strikesEnd = strikesEndAt(last_strike_at, services.config.limits, now);
  return {
    ...row,
    suspendedUntil: suspended ? new Date(suspended_until).toISOString() : null,
    strikesEndAt: strikesEnd === null ? null : new Date(strikesEnd).toISOString(),
    createdAt: new Date(created_at).toISOString(),
  };
}

/** Keys with what admins see of them. */
export function selectKeys(db: Db) {
  return db
    .selectFrom("keys as k")
    .innerJoin("users as u", "u.id", "k.user_id")
    .select(["k.id", "k.name", "k.hint", "k.scopes", "k.last_used_at", ...progressColumns])
    .select(["u.username", "u.display_name as displayName"]);
}

type KeyRow = Awaited<ReturnType<ReturnType<typeof selectKeys>["executeTakeFirstOrThrow"]>>;

export function asJudgedKey(
  { id, name, hint, scopes, username, displayName, last_used_at, ...progress }: KeyRow,
  { services, now }: At,
): JudgedKey {
  const { accepted_writes, created_at } = progress;
  return {
    ...{ id, name, hint, scopes, username, displayName },
    tier: tierOf(progress, services.config.limits, now),
    acceptedWrites: accepted_writes,
    createdAt: new Date(created_at).toISOString(),
    lastUsedAt: last_used_at === null ? null : new Date(last_used_at).toISOString(),
  };
}

/** For an id that no account has. */
export function noSuchAccount(): ApiError {
  return new ApiError("not_found", "There is no such account.", {
    hint: `Accounts and their ids are in ${routeOf("listAccounts")}.`,
  });
}

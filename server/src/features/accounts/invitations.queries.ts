import { randomBytes } from "node:crypto";
import { DAY } from "@tandem/contract/durations";
import type { Invitation } from "@tandem/contract/registration";
import type { LimitTable } from "@tandem/contract/tiers";
import { type RawBuilder, type Selectable, type SqlBool, sql } from "kysely";
import { ApiError } from "../../http/api-error.ts";
import type { Context } from "../../http/context.ts";
import type { InvitationRow } from "../../storage/schema/accounts.ts";
import type { Db } from "../../storage/storage.ts";

export interface NewInvitation {
  /** Who invites; null for the command line. */
  userId: number | null;
  byAdmin?: boolean;
  uses: number;
  /** Milliseconds since 1970. */
  expiresAt: number;
  now: number;
}

/**
 * Creates an invitation with a code of 128 bits. The code is stored as it is, so that its creator can share it again: it opens
 * no account, and works for a few people and days.
 */
export function addInvitation(tx: Db, { userId, byAdmin = false, uses, expiresAt, now }: NewInvitation) {
  const code = randomBytes(16).toString("base64url");
  return tx
    .insertInto("invitations")
    .values({
      user_id: userId,
      by_admin: byAdmin ? 1 : 0,
      code,
      uses,
      expires_at: expiresAt,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function asInvitation(row: Selectable<InvitationRow>, baseUrl: string): Invitation {
  const { code } = row;
  // After the #, so that no server's log sees it.
  return { ...stateOf(row), code, url: `${baseUrl}/signup#invitation=${code}` };
}

/** An invitation without its code. */
export function stateOf({ id, uses, used, expires_at, created_at }: Omit<Selectable<InvitationRow>, "code">) {
  return {
    ...{ id, uses, used },
    expiresAt: new Date(expires_at).toISOString(),
    createdAt: new Date(created_at).toISOString(),
  };
}

/** Throws `invalid_invitation` unless someone can sign up with this code. */
export async function requireInvitation({ read, services, now }: Context, code: string): Promise<void> {
  const row = await read
    .selectFrom("invitations")
    .select("id")
    .where(isUsable(code, services.config.limits, now))
    .executeTakeFirst();
  if (!row) throw new ApiError("invalid_invitation", undefined, { field: "invitation" });
}

/**
 * Counts one use and returns who invites, or null for the command line. If the last use is claimed concurrently, only one call
 * succeeds. Throws `invalid_invitation`.
 */
export async function claimInvitation(
  { services, now }: Context,
  tx: Db,
  code: string,
): Promise<number | null> {
  const row = await tx
    .updateTable("invitations")
    .set((eb) => ({ used: eb("used", "+", 1) }))
    .where(isUsable(code, services.config.limits, now))
    .returning("user_id")
    .executeTakeFirst();
  if (!row) throw new ApiError("invalid_invitation", undefined, { field: "invitation" });
  return row.user_id;
}

/**
 * Whether the code works now. Its creator must be able to create it still: not suspended, an admin if they were one, and others
 * in good standing.
 */
function isUsable(code: string, { holding, strikes }: LimitTable, now: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`code = ${code} and used < uses and expires_at > ${now}
    and (user_id is null or user_id in (
      select id from users where removing_at is null and coalesce(suspended_until, 0) <= ${now} and (role = 'admin'
        or (by_admin = 0 and users.created_at <= ${now - holding.standingDays * DAY}
          and coalesce(last_strike_at, 0) <= ${now - strikes.days * DAY}))))`;
}

import { randomBytes } from "node:crypto";
import type { Invitation } from "@tandem/contract/registration";
import { type RawBuilder, type Selectable, type SqlBool, sql } from "kysely";
import { ApiError } from "../../http/api-error.ts";
import type { InvitationRow } from "../../storage/schema/accounts.ts";
import type { Db } from "../../storage/storage.ts";

export interface NewInvitation {
  /** Who invites; null for the command line. */
  userId: number | null;
  uses: number;
  /** Milliseconds since 1970. */
  expiresAt: number;
  now: number;
}

/**
 * Creates an invitation with a code of 128 bits. The code is stored as it is, so that its creator can share it again: it opens
 * no account, and works for a few people and days.
 */
export function addInvitation(tx: Db, { userId, uses, expiresAt, now }: NewInvitation) {
  const code = randomBytes(16).toString("base64url");
  return tx
    .insertInto("invitations")
    .values({ user_id: userId, code, uses, expires_at: expiresAt, created_at: now })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function asInvitation(row: Selectable<InvitationRow>, baseUrl: string): Invitation {
  const { id, code, uses, used } = row;
  return {
    id,
    code,
    // After the #, so that no server's log sees it.
    url: `${baseUrl}/signup#invitation=${code}`,
    uses,
    used,
    expiresAt: new Date(row.expires_at).toISOString(),
    createdAt: new Date(row.created_at).toISOString(),
  };
}

/** Throws `invalid_invitation` unless someone can sign up with this code. */
export async function requireInvitation(db: Db, code: string, now: number): Promise<void> {
  const row = await db.selectFrom("invitations").select("id").where(isUsable(code, now)).executeTakeFirst();
  if (!row) throw new ApiError("invalid_invitation", undefined, { field: "invitation" });
}

/**
 * Counts one use and returns who invites, or null for the command line. If the last use is claimed concurrently, only one call
 * succeeds. Throws `invalid_invitation`.
 */
export async function claimInvitation(tx: Db, code: string, now: number): Promise<number | null> {
  const row = await tx
    .updateTable("invitations")
    .set((eb) => ({ used: eb("used", "+", 1) }))
    .where(isUsable(code, now))
    .returning("user_id")
    .executeTakeFirst();
  if (!row) throw new ApiError("invalid_invitation", undefined, { field: "invitation" });
  return row.user_id;
}

/** The invitations of suspended accounts don't work. */
function isUsable(code: string, now: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`code = ${code} and used < uses and expires_at > ${now}
    and (user_id is null or user_id in (
      select id from users where removing_at is null and coalesce(suspended_until, 0) <= ${now}))`;
}

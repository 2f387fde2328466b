import { randomBytes } from "node:crypto";
import { ApiError } from "../../http/api-error.ts";
import { tokenHash } from "../../http/credential.ts";
import type { TokenPurpose } from "../../storage/schema/accounts.ts";
import type { Db } from "../../storage/storage.ts";

export interface NewToken {
  purpose: TokenPurpose;
  /** Null if the account isn't known yet. */
  userId: number | null;
  /** The address that it is mailed to, or null. */
  email: string | null;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** Creates a token of 192 bits and returns it. Only its hash is stored. */
export async function makeToken(tx: Db, token: NewToken): Promise<string> {
  const value = randomBytes(24).toString("base64url");
  await storeToken(tx, value, token);
  return value;
}

export async function storeToken(tx: Db, value: string, { purpose, userId, email, expiresAt }: NewToken) {
  await tx
    .insertInto("tokens")
    .values({ hash: tokenHash(value), purpose, user_id: userId, about: email, expires_at: expiresAt })
    .execute();
}

/** Deletes a token and returns its data, or null if it is unknown or expired. Of concurrent calls only one gets it. */
export async function consumeToken(tx: Db, purpose: TokenPurpose, token: string, now: number) {
  const row = await tx
    .deleteFrom("tokens")
    .where("hash", "=", tokenHash(token))
    .where("purpose", "=", purpose)
    .where("expires_at", ">", now)
    .returning(["user_id", "about"])
    .executeTakeFirst();
  return row ? { userId: row.user_id, email: row.about } : null;
}

export interface MailedToken {
  userId: number;
  /** The address that it was mailed to. */
  email: string;
}

/** Like `consumeToken`, for a token that was mailed. Throws `invalid_token`. */
export async function consumeMailedToken(
  tx: Db,
  purpose: TokenPurpose,
  token: string,
  now: number,
): Promise<MailedToken> {
  const { userId, email } = (await consumeToken(tx, purpose, token, now)) ?? {};
  if (userId == null || email == null) throw invalidToken();
  return { userId, email };
}

/**
 * Whose token it is. Throws `invalid_token` if it is unknown or expired, before anything costly is done.
 */
export async function requireToken(
  db: Db,
  purpose: TokenPurpose,
  token: string,
  now: number,
): Promise<number | null> {
  const row = await db
    .selectFrom("tokens")
    .select("user_id")
    .where("hash", "=", tokenHash(token))
    .where("purpose", "=", purpose)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  if (!row) throw invalidToken();
  return row.user_id;
}

/** Revokes an account's tokens of one purpose, except those that were mailed to the given address. */
export async function revokeTokens(
  tx: Db,
  userId: number,
  purpose: TokenPurpose,
  exceptAddress?: string,
): Promise<void> {
  await tx
    .deleteFrom("tokens")
    .where("user_id", "=", userId)
    .where("purpose", "=", purpose)
    .$if(exceptAddress !== undefined, (query) => query.where("about", "<>", String(exceptAddress)))
    .execute();
}

function invalidToken(): ApiError {
  return new ApiError("invalid_token", undefined, { field: "token" });
}

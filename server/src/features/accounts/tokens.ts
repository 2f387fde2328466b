import { randomBytes } from "node:crypto";
import { ApiError } from "../../http/api-error.ts";
import { tokenHash } from "../../http/credential.ts";
import type { TokenPurpose } from "../../storage/schema/accounts.ts";
import type { Db } from "../../storage/storage.ts";

export interface NewToken {
  purpose: TokenPurpose;
  /** Null where it isn't known yet whose it will be. */
  userId: number | null;
  about: string | null;
  /** Milliseconds since 1970. */
  ends: number;
}

/** Makes a token of 192 bits; only its hash is kept. */
export async function makeToken(tx: Db, about: NewToken): Promise<string> {
  const token = randomBytes(24).toString("base64url");
  await keepToken(tx, token, about);
  return token;
}

export async function keepToken(tx: Db, token: string, { purpose, userId, about, ends }: NewToken) {
  await tx
    .insertInto("tokens")
    .values({ hash: tokenHash(token), purpose, user_id: userId, about, expires_at: ends })
    .execute();
}

/** Takes a token, which serves once: of two at the same time only one gets it. Null where there is none. */
export async function takeToken(tx: Db, purpose: TokenPurpose, token: string, now: number) {
  const row = await tx
    .deleteFrom("tokens")
    .where("hash", "=", tokenHash(token))
    .where("purpose", "=", purpose)
    .where("expires_at", ">", now)
    .returning(["user_id", "about"])
    .executeTakeFirst();
  return row ? { userId: row.user_id, about: row.about } : null;
}

export interface Mailed {
  userId: number;
  /** The address that it was sent to. */
  about: string;
}

/** Takes a token that was mailed. Throws `invalid_token`. */
export async function spendToken(tx: Db, purpose: TokenPurpose, token: string, now: number): Promise<Mailed> {
  const { userId, about } = (await takeToken(tx, purpose, token, now)) ?? {};
  if (userId == null || about == null) throw noToken();
  return { userId, about };
}

/** Throws `invalid_token` for one that is none, before anything costly is done. */
export async function requireToken(db: Db, purpose: TokenPurpose, token: string, now: number): Promise<void> {
  const row = await db
    .selectFrom("tokens")
    .select("hash")
    .where("hash", "=", tokenHash(token))
    .where("purpose", "=", purpose)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  if (!row) throw noToken();
}

/** Ends all tokens of that kind that an account was sent; but those to one address, if it is given. */
export async function dropTokens(tx: Db, userId: number, purpose: TokenPurpose, but?: string): Promise<void> {
  await tx
    .deleteFrom("tokens")
    .where("user_id", "=", userId)
    .where("purpose", "=", purpose)
    .$if(but !== undefined, (query) => query.where("about", "<>", String(but)))
    .execute();
}

function noToken(): ApiError {
  return new ApiError("invalid_token", undefined, { field: "token" });
}

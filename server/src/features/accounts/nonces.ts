import { ApiError } from "../../http/api-error.ts";
import { tokenHash } from "../../http/credential.ts";
import { charge } from "../../http/quota.ts";
import type { Db } from "../../storage/storage.ts";

/** Clocks may differ by this many seconds. */
export const CLOCK_TOLERANCE = 30;

/** Keeps a nonce, by its hash alone, until it is spent or ends. */
export async function keepNonce(tx: Db, nonce: string, ends: number): Promise<void> {
  await tx
    .insertInto("nonces")
    .values({ hash: tokenHash(nonce), expires_at: ends })
    .execute();
}

/** Throws `unauthorized` for a nonce that was never given out, has ended, or was spent before. */
export async function spendNonce(tx: Db, nonce: string, now: number): Promise<void> {
  const spent = await tx
    .deleteFrom("nonces")
    .where("hash", "=", tokenHash(nonce))
    .where("expires_at", ">", now)
    .executeTakeFirst();
  if (spent.numDeletedRows === 0n)
    throw new ApiError("unauthorized", "This sign-in took too long, or was already made: begin it again.");
}

/**
 * An ID token without a nonce serves once as well: it is counted like a quota of one, until it ends by itself.
 * What is counted is what the provider signed, for a signature can be written in several ways.
 * `expires` is in seconds since 1970. Throws `unauthorized`.
 */
export async function spendToken(tx: Db, idToken: string, expires: number, now: number): Promise<void> {
  const signed = idToken.slice(0, idToken.lastIndexOf("."));
  const seconds = Math.max(1, Math.ceil(expires + CLOCK_TOLERANCE - now / 1000));
  const once = { name: "idToken", limit: 1, seconds };
  try {
    await charge(tx, `idToken:${tokenHash(signed)}`, [once], now);
  } catch (cause) {
    if (!(cause instanceof ApiError) || cause.code !== "rate_limited") throw cause;
    throw new ApiError("unauthorized", "This ID token was already used: ask for a new one.", { cause });
  }
}

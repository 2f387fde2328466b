import { ApiError } from "../../http/api-error.ts";
import { tokenHash } from "../../http/credential.ts";
import { charge } from "../../http/quota.ts";
import type { Db } from "../../storage/storage.ts";

/** Clocks may differ by this many seconds. */
export const CLOCK_TOLERANCE = 30;

/** Stores a nonce's hash until it is used or expires, in milliseconds since 1970. */
export async function storeNonce(tx: Db, nonce: string, expiresAt: number): Promise<void> {
  await tx
    .insertInto("nonces")
    .values({ hash: tokenHash(nonce), expires_at: expiresAt })
    .execute();
}

/** Throws `unauthorized` if the nonce is unknown, expired or already used. */
export async function consumeNonce(tx: Db, nonce: string, now: number): Promise<void> {
  const deleted = await tx
    .deleteFrom("nonces")
    .where("hash", "=", tokenHash(nonce))
    .where("expires_at", ">", now)
    .executeTakeFirst();
  if (deleted.numDeletedRows === 0n)
    throw new ApiError("unauthorized", "This sign-in has expired or was already used. Start it again.");
}

/**
 * Makes sure that an ID token without a nonce is used only once. What is remembered is a hash of the signed part, because the
 * same signature can be encoded in several ways. `expires` is in seconds since 1970. Throws `unauthorized`.
 */
export async function consumeIdToken(tx: Db, idToken: string, expires: number, now: number): Promise<void> {
  const signed = idToken.slice(0, idToken.lastIndexOf("."));
  if (!(await consumeOnce(tx, `idToken:${tokenHash(signed)}`, expires, now)))
    throw new ApiError("unauthorized", "This ID token was already used. Request a new one.");
}

/**
 * Whether something is used for the first time, with a quota of one until it expires, in seconds since 1970. Of concurrent uses
 * only one is the first.
 */
export async function consumeOnce(tx: Db, what: string, expires: number, now: number): Promise<boolean> {
  const seconds = Math.max(1, Math.ceil(expires + CLOCK_TOLERANCE - now / 1000));
  try {
    await charge(tx, what, [{ name: "once", limit: 1, seconds }], now);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === "rate_limited") return false;
    throw error;
  }
}

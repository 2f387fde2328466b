import { MINUTE } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { ApiError, invalid } from "../../http/api-error.ts";
import type { SignedIn } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { verifyPassword } from "./hashing.ts";
import { limitAttempts, passwordAttempt, refundAttempt } from "./throttle.ts";

/** Milliseconds for which a new session counts as proof of identity. */
const FRESH_SESSION = limits.freshMinutes * MINUTE;

/**
 * Makes sure that the account's owner is calling, and not someone at an unlocked screen: by the password or, for an
 * account without one, by a session that has just begun. Returns the current password hash. Throws `forbidden`, or
 * `rate_limited` after too many wrong passwords.
 */
export async function reauthenticate(
  ctx: SignedIn,
  password: string | null | undefined,
  field = "password",
): Promise<string | null> {
  const { password_hash: hash } = await passwordHashOf(ctx.read, ctx.caller.userId);
  if (hash === null) {
    await requireFreshSession(ctx, field);
    return null;
  }
  if (password == null) throw invalid(field, `${field} is required.`);
  const attempt = passwordAttempt(ctx);
  await limitAttempts(ctx, attempt, async () => {
    if (!(await verifyPassword(hash, password)))
      throw new ApiError("forbidden", "Wrong password.", { field });
  });
  await refundAttempt(ctx, attempt);
  return hash;
}

async function passwordHashOf(db: Db, userId: number): Promise<{ password_hash: string | null }> {
  const row = await db
    .selectFrom("users")
    .select("password_hash")
    .where("id", "=", userId)
    .executeTakeFirst();
  if (!row) throw new ApiError("unauthorized", "This account no longer exists.");
  return row;
}

async function requireFreshSession({ read, caller, now }: SignedIn, field: string): Promise<void> {
  const session = await read
    .selectFrom("sessions")
    .select("created_at")
    .where("id", "=", caller.sessionId)
    .executeTakeFirst();
  if (session && session.created_at > now - FRESH_SESSION) return;
  const message =
    "Your account has no password, so this needs a recent sign-in. Log out, log in again and retry.";
  throw new ApiError("forbidden", message, { field });
}

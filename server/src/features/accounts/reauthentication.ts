import { MINUTE } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { ApiError, invalid } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import type { SignedIn } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { verifyPassword } from "./hashing.ts";
import { limitAttempts, passwordAttempt, refundAttempt } from "./throttle.ts";

/**
 * Makes sure that the account's owner is calling, and not someone at an unlocked screen: by the password or, for an
 * account without one, by a recent proof in this session. Returns the current password hash. Throws `forbidden`,
 * `reauthentication_required`, or `rate_limited` after too many wrong passwords.
 */
export async function reauthenticate(
  ctx: SignedIn,
  password: string | null | undefined,
  field = "password",
): Promise<string | null> {
  const { password_hash: hash } = await passwordHashOf(ctx.read, ctx.caller.userId);
  if (hash === null) {
    await requireRecentProof(ctx.read, ctx, limits.provenMinutes * MINUTE, field);
    return null;
  }
  if (password == null) throw invalid(field, `${field} is required.`);
  const attempt = passwordAttempt(ctx);
  await limitAttempts(ctx, attempt, async () => {
    if (!(await verifyPassword(hash, password)))
      throw new ApiError("forbidden", "Wrong password.", { field });
  });
  await refundAttempt(ctx, attempt);
  if (!ctx.dryRun) await ctx.services.storage.write((tx) => setProven(tx, ctx.caller, ctx.now));
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

/**
 * Makes sure that the session's user proved who they are within so many milliseconds: by signing in, or with a password or
 * passkey since. Throws `reauthentication_required`. Call it inside the write, where a repeated call has got its response already.
 */
export async function requireRecentProof(
  db: Db,
  { caller, now }: SignedIn,
  within: number,
  field?: string,
): Promise<void> {
  const session = await db
    .selectFrom("sessions")
    .select("proven_at")
    .where("id", "=", caller.sessionId)
    .executeTakeFirst();
  if (session && session.proven_at > now - within) return;
  throw new ApiError("reauthentication_required", undefined, { field });
}

/** Remembers that the session's user has just proved who they are. */
export async function setProven(tx: Db, { sessionId }: Caller, now: number): Promise<void> {
  await tx.updateTable("sessions").set({ proven_at: now }).where("id", "=", sessionId).execute();
}

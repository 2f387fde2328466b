import { limits } from "@tandem/contract/limits";
import { ApiError, invalid } from "../../http/api-error.ts";
import type { SignedIn } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { verifyPassword } from "./hashing.ts";
import { counted, forgive, passwordAttempt } from "./throttle.ts";

/** Milliseconds after it began in which a session vouches for its owner by itself. */
const FRESH = limits.freshMinutes * 60_000;

/**
 * Sees to it that it is the owner who asks, and not whoever found a screen unlocked: by the password, or where there is
 * none by a sign-in that was just made. Gives back the password's hash as it was. Throws `forbidden`.
 */
export async function requireOwner(
  ctx: SignedIn,
  password: string | null | undefined,
  field = "password",
): Promise<string | null> {
  const { password_hash: hash } = await passwordHashOf(ctx.read, ctx.caller.userId);
  if (hash === null) {
    await requireFresh(ctx, field);
    return null;
  }
  if (password == null) throw invalid(field, `${field} is required.`);
  const attempt = passwordAttempt(ctx);
  await counted(ctx, attempt, async () => {
    if (!(await verifyPassword(hash, password)))
      throw new ApiError("forbidden", "This isn't the account's password.", { field });
  });
  await forgive(ctx, attempt);
  return hash;
}

async function passwordHashOf(db: Db, userId: number): Promise<{ password_hash: string | null }> {
  const row = await db
    .selectFrom("users")
    .select("password_hash")
    .where("id", "=", userId)
    .executeTakeFirst();
  if (!row) throw new ApiError("unauthorized", "This account is gone.");
  return row;
}

async function requireFresh({ read, caller, now }: SignedIn, field: string): Promise<void> {
  const session = await read
    .selectFrom("sessions")
    .select("created_at")
    .where("id", "=", caller.sessionId)
    .executeTakeFirst();
  if (session && session.created_at > now - FRESH) return;
  const message = "The account has no password, and this session is no new one: sign in again, then do this.";
  throw new ApiError("forbidden", message, { field });
}

import { randomBytes } from "node:crypto";
import { limits } from "@tandem/contract/limits";
import { Secret, TOTP } from "otpauth";
import { ApiError } from "../../http/api-error.ts";
import type { Context } from "../../http/context.ts";
import { tokenHash } from "../../http/credential.ts";
import type { Db } from "../../storage/storage.ts";
import { codeAttempt, limitAttempts, refundAttempt } from "./throttle.ts";

/** Seconds for which an authenticator shows a code. */
const PERIOD = 30;
/** The previous and the next code are accepted too, because clocks differ (RFC 6238). */
const WINDOW = 1;

/** A new authenticator secret of 160 bits, as RFC 4226 recommends. */
export function newSecret(): string {
  return new Secret({ size: 20 }).base32;
}

export function totpOf(secret: string, username: string): TOTP {
  return new TOTP({ issuer: "Tandem", label: username, secret: Secret.fromBase32(secret), period: PERIOD });
}

/** What `consumeCode` needs to make sure that a verified code works only once: its time step, or its recovery code's hash. */
export type CodeUse = { step: number } | { recovery: string };

/** The code's time step, or null if the code is wrong or not newer than the last one used. */
export function stepOf(
  { secrets }: Db,
  factor: { secret: string; last_step: number },
  code: string,
  now: number,
): number | null {
  const token = code.replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const secret = secrets.decrypt("second_factors", factor.secret);
  const delta = totpOf(secret, "").validate({ token, timestamp: now, window: WINDOW });
  const step = Math.floor(now / 1000 / PERIOD) + (delta ?? 0);
  return delta === null || step <= factor.last_step ? null : step;
}

/**
 * Verifies the code that came with a sign-in. Returns what `consumeCode` takes, or null for an account without a second
 * factor. Throws `second_factor_required`.
 */
export async function verifySignInCode(
  ctx: Context,
  userId: number,
  code: string | null | undefined,
): Promise<CodeUse | null> {
  const refuse = (message: string) => new ApiError("second_factor_required", message, { field: "code" });
  if (code == null) {
    if (await factorOf(ctx.read, userId))
      throw refuse("code is required: this account uses two-factor authentication.");
    return null;
  }
  return verifyCode(ctx, userId, code, refuse);
}

/** Returns null for an account without a second factor. A wrong code counts as an attempt and throws the error of `refuse`. */
export async function verifyCode(
  ctx: Context,
  userId: number,
  code: string,
  refuse: (message: string) => ApiError,
): Promise<CodeUse | null> {
  const factor = await factorOf(ctx.read, userId);
  if (!factor) return null;
  const attempt = codeAttempt(userId);
  const use = await limitAttempts(ctx, attempt, async () => {
    const step = stepOf(ctx.read, factor, code, ctx.now);
    if (step !== null) return { step };
    const recovery = recoveryHash(userId, code);
    if (await hasRecoveryCode(ctx.read, userId, recovery)) return { recovery };
    throw refuse("This code is wrong or was already used. Enter the current one.");
  });
  await refundAttempt(ctx, attempt);
  return use;
}

/** The account's confirmed second factor. */
async function factorOf(db: Db, userId: number) {
  return db
    .selectFrom("second_factors")
    .select(["secret", "last_step"])
    .where("user_id", "=", userId)
    .where("confirmed_at", "is not", null)
    .executeTakeFirst();
}

async function hasRecoveryCode(db: Db, userId: number, hash: string): Promise<boolean> {
  const row = await db
    .selectFrom("recovery_codes")
    .select("hash")
    .where("user_id", "=", userId)
    .where("hash", "=", hash)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Of two concurrent uses of one code only the first succeeds; the other throws `second_factor_required`. So does a call without a
 * code if the second factor was turned on since `verifyCode`. Lock the account before.
 */
export async function consumeCode(tx: Db, userId: number, use: CodeUse | null): Promise<void> {
  if (use === null) {
    if (await factorOf(tx, userId))
      throw new ApiError("second_factor_required", undefined, { field: "code" });
    return;
  }
  const consumed =
    "step" in use
      ? await consumeStep(tx, userId, use.step)
      : await consumeRecoveryCode(tx, userId, use.recovery);
  if (consumed === 0n)
    throw new ApiError("second_factor_required", "This code was already used. Wait for the next one.", {
      field: "code",
    });
}

async function consumeStep(tx: Db, userId: number, step: number): Promise<bigint> {
  const { numUpdatedRows } = await tx
    .updateTable("second_factors")
    .set({ last_step: step })
    .where("user_id", "=", userId)
    .where("last_step", "<", step)
    .executeTakeFirst();
  return numUpdatedRows;
}

async function consumeRecoveryCode(tx: Db, userId: number, hash: string): Promise<bigint> {
  const { numDeletedRows } = await tx
    .deleteFrom("recovery_codes")
    .where("user_id", "=", userId)
    .where("hash", "=", hash)
    .executeTakeFirst();
  return numDeletedRows;
}

/** Replaces the account's recovery codes with new ones of 80 bits each. Only their hashes are stored. */
export async function makeRecoveryCodes(tx: Db, userId: number): Promise<string[]> {
  const codes = Array.from({ length: limits.recoveryCodes }, newRecoveryCode);
  await tx.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  const rows = codes.map((code) => ({ user_id: userId, hash: recoveryHash(userId, code) }));
  await tx.insertInto("recovery_codes").values(rows).execute();
  return codes;
}

function newRecoveryCode(): string {
  const text = new Secret({ buffer: Uint8Array.from(randomBytes(10)).buffer }).base32;
  return (text.match(/.{4}/g) ?? []).join("-");
}

/** Ignores case and separators, because people type these codes from paper. */
function recoveryHash(userId: number, code: string): string {
  return tokenHash(`${userId} ${code.toUpperCase().replace(/[^A-Z2-7]/g, "")}`);
}

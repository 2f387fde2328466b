import { randomBytes } from "node:crypto";
import { limits } from "@tandem/contract/limits";
import { Secret, TOTP } from "otpauth";
import { ApiError } from "../../http/api-error.ts";
import type { Context } from "../../http/context.ts";
import { tokenHash } from "../../http/credential.ts";
import type { Db } from "../../storage/storage.ts";
import { codeAttempt, counted, forgive } from "./throttle.ts";

/** Seconds that a code is shown; one before and one after are taken as well, for clocks differ (RFC 6238). */
const PERIOD = 30;
const WINDOW = 1;

/** An authenticator's secret, of 160 bits as RFC 4226 wants it. */
export function newSecret(): string {
  return new Secret({ size: 20 }).base32;
}

export function totpOf(secret: string, username: string): TOTP {
  return new TOTP({ issuer: "Tandem", label: username, secret: Secret.fromBase32(secret), period: PERIOD });
}

/** A good code, and what is to be noted so that it serves once. */
export type CodeUse = { step: number } | { recovery: string };

/** The code's time step; null where it is wrong, or no newer than the last one that was taken. */
export function stepOf(
  factor: { secret: string; last_step: number },
  code: string,
  now: number,
): number | null {
  const token = code.replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const delta = totpOf(factor.secret, "").validate({ token, timestamp: now, window: WINDOW });
  const step = Math.floor(now / 1000 / PERIOD) + (delta ?? 0);
  return delta === null || step <= factor.last_step ? null : step;
}

/**
 * Judges the code that comes with a sign-in; gives back what `spendCode` then spends, or null for an account without a
 * second factor. Throws `second_factor_required`.
 */
export async function judgeSignInCode(
  ctx: Context,
  userId: number,
  code: string | null | undefined,
): Promise<CodeUse | null> {
  const refuse = (message: string) => new ApiError("second_factor_required", message, { field: "code" });
  if (code == null) {
    if (await factorOf(ctx.read, userId)) throw refuse("code is required: the account has a second factor.");
    return null;
  }
  return judgeCode(ctx, userId, code, refuse);
}

/** Null for an account without a second factor. A wrong code is counted, and refused as `refuse` says. */
export async function judgeCode(
  ctx: Context,
  userId: number,
  code: string,
  refuse: (message: string) => ApiError,
): Promise<CodeUse | null> {
  const factor = await factorOf(ctx.read, userId);
  if (!factor) return null;
  const attempt = codeAttempt(userId);
  const use = await counted(ctx, attempt, async () => {
    const step = stepOf(factor, code, ctx.now);
    if (step !== null) return { step };
    const recovery = recoveryHash(userId, code);
    if (await hasRecoveryCode(ctx.read, userId, recovery)) return { recovery };
    throw refuse("This code is wrong, or was used before.");
  });
  await forgive(ctx, attempt);
  return use;
}

/** The second factor that an account has, if it was confirmed. */
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

/** Of two who come with one code at the same time, only one gets in. Throws `second_factor_required`. */
export async function spendCode(tx: Db, userId: number, use: CodeUse | null): Promise<void> {
  if (use === null) return;
  const spent =
    "step" in use ? await spendStep(tx, userId, use.step) : await spendRecovery(tx, userId, use.recovery);
  if (spent === 0n)
    throw new ApiError("second_factor_required", "This code was used before.", { field: "code" });
}

async function spendStep(tx: Db, userId: number, step: number): Promise<bigint> {
  const { numUpdatedRows } = await tx
    .updateTable("second_factors")
    .set({ last_step: step })
    .where("user_id", "=", userId)
    .where("last_step", "<", step)
    .executeTakeFirst();
  return numUpdatedRows;
}

async function spendRecovery(tx: Db, userId: number, hash: string): Promise<bigint> {
  const { numDeletedRows } = await tx
    .deleteFrom("recovery_codes")
    .where("user_id", "=", userId)
    .where("hash", "=", hash)
    .executeTakeFirst();
  return numDeletedRows;
}

/** New recovery codes in place of any before, of 80 bits each; their hashes are kept alone. */
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

/** However it was typed: codes are read from paper. */
function recoveryHash(userId: number, code: string): string {
  return tokenHash(`${userId} ${code.toUpperCase().replace(/[^A-Z2-7]/g, "")}`);
}

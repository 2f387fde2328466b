import { ApiError, invalid } from "../../http/api-error.ts";
import type { Handlers, SignedIn } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount, readUser } from "./accounts.queries.ts";
import { postMails } from "./mails.ts";
import { reauthenticate } from "./reauthentication.ts";
import {
  type CodeUse,
  consumeCode,
  makeRecoveryCodes,
  newSecret,
  stepOf,
  totpOf,
  verifyCode,
} from "./second-factor-codes.ts";
import { queueSignInChangeMail } from "./security.ts";
import { endSessions } from "./sessions.ts";
import { codeAttempt, limitAttempts, refundAttempt } from "./throttle.ts";

export const secondFactor = {
  async beginTwoFactor(ctx, { password }) {
    await reauthenticate(ctx, password);
    return ctx.write((tx) => begin(ctx, tx));
  },
  async confirmTwoFactor(ctx, { code, password }) {
    // A replay must succeed although its code has been used by now.
    const replay = await ctx.rehearse(async () => ({ recoveryCodes: null }));
    if (replay) return replay;
    const enabled = await isEnabled(ctx.read, ctx.caller.userId);
    const work = await (enabled ? verifyRenewal(ctx, code, password) : verifyFirstCode(ctx, code));
    const response = await ctx.write(work);
    postMails(ctx.services);
    return response;
  },
  async endTwoFactor(ctx, { password, code }) {
    const replay = await ctx.rehearse(async () => ({ twoFactor: false }));
    if (replay) return replay;
    await reauthenticate(ctx, password);
    const { userId } = ctx.caller;
    if (code == null && (await isEnabled(ctx.read, userId))) throw invalid("code", "code is required.");
    const codeUse = code == null ? null : await verifyCode(ctx, userId, code, wrongCode);
    const response = await ctx.write(async (tx) => {
      await consumeCode(tx, userId, codeUse);
      return disable(ctx, tx, codeUse);
    });
    postMails(ctx.services);
    return response;
  },
} satisfies Handlers<"beginTwoFactor" | "confirmTwoFactor" | "endTwoFactor">;

function wrongCode(message: string): ApiError {
  return new ApiError("forbidden", message, { field: "code" });
}

async function begin({ caller: { userId } }: SignedIn, tx: Db) {
  const secret = newSecret();
  const stored = tx.secrets.encrypt("second_factors", secret);
  await lockAccount(tx, userId);
  if (await isEnabled(tx, userId)) throw alreadyEnabled();
  const { username } = await readUser(tx, userId);
  await tx
    .insertInto("second_factors")
    .values({ user_id: userId, secret: stored, confirmed_at: null })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet({ secret: stored, last_step: 0 }))
    .execute();
  return { secret, uri: totpOf(secret, username).toString() };
}

function alreadyEnabled(): ApiError {
  return new ApiError("forbidden", "Two-factor authentication is already on. Turn it off first.");
}

async function isEnabled(db: Db, userId: number): Promise<boolean> {
  return (await factorOf(db, userId))?.confirmed_at != null;
}

function factorOf(db: Db, userId: number) {
  return db.selectFrom("second_factors").selectAll().where("user_id", "=", userId).executeTakeFirst();
}

type Work = (tx: Db) => Promise<{ recoveryCodes: string[] }>;

async function verifyFirstCode(ctx: SignedIn, code: string): Promise<Work> {
  const { userId } = ctx.caller;
  const factor = await unconfirmed(ctx.read, userId);
  const attempt = codeAttempt(userId);
  const step = await limitAttempts(ctx, attempt, async () => {
    const matched = stepOf(ctx.read, factor, code, ctx.now);
    if (matched === null) throw wrongCode("Wrong code. Enter the one that your authenticator shows now.");
    return matched;
  });
  await refundAttempt(ctx, attempt);
  return (tx) => enable(ctx, tx, step);
}

/** For an account with a confirmed second factor: creates new recovery codes in place of lost or used ones. */
async function verifyRenewal(ctx: SignedIn, code: string, password?: string | null): Promise<Work> {
  const { services, caller, now } = ctx;
  await reauthenticate(ctx, password);
  const codeUse = await verifyCode(ctx, caller.userId, code, wrongCode);
  return async (tx) => {
    await lockAccount(tx, caller.userId);
    if (codeUse === null || !(await isEnabled(tx, caller.userId)))
      throw new ApiError("not_found", "Two-factor authentication is off.");
    await consumeCode(tx, caller.userId, codeUse);
    await queueSignInChangeMail(services, tx, caller.userId, now);
    return { recoveryCodes: await makeRecoveryCodes(tx, caller.userId) };
  };
}

async function unconfirmed(db: Db, userId: number) {
  const factor = await factorOf(db, userId);
  if (!factor || factor.confirmed_at !== null)
    throw new ApiError("not_found", "There is no two-factor setup to confirm. Start one first.");
  return factor;
}

/** Ends other sessions: they began without it. */
async function enable({ services, caller, now }: SignedIn, tx: Db, step: number) {
  const { userId, sessionId } = caller;
  await endSessions(tx, userId, sessionId);
  await unconfirmed(tx, userId);
  await tx
    .updateTable("second_factors")
    .set({ confirmed_at: now, last_step: step })
    .where("user_id", "=", userId)
    .execute();
  await queueSignInChangeMail(services, tx, userId, now);
  return { recoveryCodes: await makeRecoveryCodes(tx, userId) };
}

async function disable({ services, caller: { userId }, now }: SignedIn, tx: Db, codeUse: CodeUse | null) {
  await lockAccount(tx, userId);
  const enabled = await isEnabled(tx, userId);
  // It may have been enabled since the check before the transaction.
  if (enabled && codeUse === null) throw invalid("code", "code is required.");
  if (enabled) await queueSignInChangeMail(services, tx, userId, now);
  await tx.deleteFrom("second_factors").where("user_id", "=", userId).execute();
  await tx.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  return { twoFactor: false } as const;
}

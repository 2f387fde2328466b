import { ApiError, invalid, notFound } from "../../http/api-error.ts";
import type { Handlers, SignedIn } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount, readUser } from "./accounts.queries.ts";
import { postMails } from "./mails.ts";
import { requireOwner } from "./reauthentication.ts";
import {
  type CodeUse,
  judgeCode,
  makeRecoveryCodes,
  newSecret,
  spendCode,
  stepOf,
  totpOf,
} from "./second-factor-codes.ts";
import { tellOfChange } from "./security.ts";
import { codeAttempt, counted, forgive } from "./throttle.ts";

export const secondFactor = {
  async beginTwoFactor(ctx, { password }) {
    await requireOwner(ctx, password);
    return ctx.write((tx) => begin(ctx, tx));
  },
  async confirmTwoFactor(ctx, { code, password }) {
    // A repetition is answered as the first was, though the code has served by now.
    const before = await ctx.rehearse(async () => ({ recoveryCodes: null }));
    if (before) return before;
    const on = await isOn(ctx.read, ctx.caller.userId);
    const work = await (on ? judgeRenewal(ctx, code, password) : judgeFirst(ctx, code));
    const answer = await ctx.write(work);
    postMails(ctx.services);
    return answer;
  },
  async endTwoFactor(ctx, { password, code }) {
    const before = await ctx.rehearse(async () => ({ twoFactor: false }));
    if (before) return before;
    await requireOwner(ctx, password);
    const { userId } = ctx.caller;
    if (code == null && (await isOn(ctx.read, userId))) throw invalid("code", "code is required.");
    const use = code == null ? null : await judgeCode(ctx, userId, code, wrongCode);
    const answer = await ctx.write(async (tx) => {
      await spendCode(tx, userId, use);
      return end(ctx, tx, use);
    });
    postMails(ctx.services);
    return answer;
  },
} satisfies Handlers<"beginTwoFactor" | "confirmTwoFactor" | "endTwoFactor">;

function wrongCode(message: string): ApiError {
  return new ApiError("forbidden", message, { field: "code" });
}

async function begin({ caller: { userId } }: SignedIn, tx: Db) {
  const secret = newSecret();
  await lockAccount(tx, userId);
  if (await isOn(tx, userId)) throw new ApiError("forbidden", "Codes are asked for already: end that first.");
  const { username } = await readUser(tx, userId);
  await tx
    .insertInto("second_factors")
    .values({ user_id: userId, secret, confirmed_at: null })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet({ secret, last_step: 0 }))
    .execute();
  return { secret, uri: totpOf(secret, username).toString() };
}

async function isOn(db: Db, userId: number): Promise<boolean> {
  return (await factorOf(db, userId))?.confirmed_at != null;
}

function factorOf(db: Db, userId: number) {
  return db.selectFrom("second_factors").selectAll().where("user_id", "=", userId).executeTakeFirst();
}

type Work = (tx: Db) => Promise<{ recoveryCodes: string[] }>;

async function judgeFirst(ctx: SignedIn, code: string): Promise<Work> {
  const { userId } = ctx.caller;
  const factor = await unconfirmed(ctx.read, userId);
  const attempt = codeAttempt(userId);
  const step = await counted(ctx, attempt, async () => {
    const found = stepOf(factor, code, ctx.now);
    if (found === null) throw wrongCode("This isn't what the authenticator shows now.");
    return found;
  });
  await forgive(ctx, attempt);
  return (tx) => confirm(ctx, tx, step);
}

/** Of a factor that holds already: other recovery codes, for who has lost or used up theirs. */
async function judgeRenewal(ctx: SignedIn, code: string, password?: string | null): Promise<Work> {
  const { services, caller, now } = ctx;
  await requireOwner(ctx, password);
  const use = await judgeCode(ctx, caller.userId, code, wrongCode);
  return async (tx) => {
    await lockAccount(tx, caller.userId);
    if (use === null || !(await isOn(tx, caller.userId))) throw notFound("second factor");
    await spendCode(tx, caller.userId, use);
    await tellOfChange(services, tx, caller.userId, now);
    return { recoveryCodes: await makeRecoveryCodes(tx, caller.userId) };
  };
}

async function unconfirmed(db: Db, userId: number) {
  const factor = await factorOf(db, userId);
  if (!factor || factor.confirmed_at !== null) throw notFound("second factor to confirm");
  return factor;
}

async function confirm({ services, caller: { userId }, now }: SignedIn, tx: Db, step: number) {
  await lockAccount(tx, userId);
  await unconfirmed(tx, userId);
  await tx
    .updateTable("second_factors")
    .set({ confirmed_at: now, last_step: step })
    .where("user_id", "=", userId)
    .execute();
  await tellOfChange(services, tx, userId, now);
  return { recoveryCodes: await makeRecoveryCodes(tx, userId) };
}

async function end({ services, caller: { userId }, now }: SignedIn, tx: Db, use: CodeUse | null) {
  await lockAccount(tx, userId);
  const on = await isOn(tx, userId);
  // It may have been confirmed since.
  if (on && use === null) throw invalid("code", "code is required.");
  if (on) await tellOfChange(services, tx, userId, now);
  await tx.deleteFrom("second_factors").where("user_id", "=", userId).execute();
  await tx.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  return { twoFactor: false } as const;
}

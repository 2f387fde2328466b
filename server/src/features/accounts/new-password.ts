import { ApiError } from "../../http/api-error.ts";
import type { Context, Handlers } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { readUser } from "./accounts.queries.ts";
import { hashPassword } from "./hashing.ts";
import { dropMails, postMails, queueMail, queueNotice } from "./mails.ts";
import { requireOwner } from "./reauthentication.ts";
import { endSessions } from "./sessions.ts";
import { count, counted, forgive, mailAttempt, tokenAttempt } from "./throttle.ts";
import { dropTokens, requireToken, spendToken } from "./tokens.ts";

export const newPassword = {
  async changePassword(ctx, { currentPassword, password }) {
    const { caller, services } = ctx;
    // A repetition is answered as the first was, though the current password is another by now.
    const answered = await ctx.rehearse(async (tx) => ({ user: await readUser(tx, caller.userId) }));
    if (answered) return answered;
    const before = await requireOwner(ctx, currentPassword, "currentPassword");
    const after = await hashPassword(password);
    const answer = await ctx.write(async (tx) => {
      await replace(tx, caller.userId, before, after);
      await settle(ctx, tx, caller.userId, caller.sessionId);
      return { user: await readUser(tx, caller.userId) };
    });
    postMails(services);
    return answer;
  },
  async forgotPassword(ctx, { email }) {
    const { services, now } = ctx;
    const answer = await ctx.write(async (tx) => {
      await count(ctx, tx, mailAttempt(ctx, email));
      const account = await accountOf(tx, email);
      if (account) {
        const mail = { userId: account.id, kind: "reset_password", address: account.email, now } as const;
        await queueMail(services, tx, mail);
      }
      return { ok: true };
    });
    postMails(services);
    return answer;
  },
  async resetPassword(ctx, { token, password }) {
    const attempt = tokenAttempt(ctx);
    const after = await counted(ctx, attempt, async () => {
      await requireToken(ctx.read, "reset_password", token, ctx.now);
      return hashPassword(password);
    });
    await forgive(ctx, attempt);
    const answer = await ctx.write(async (tx) => {
      const { userId, about } = await spendToken(tx, "reset_password", token, ctx.now);
      await reset(tx, userId, about, after);
      await settle(ctx, tx, userId, null);
      return { ok: true };
    });
    postMails(ctx.services);
    return answer;
  },
} satisfies Handlers<"changePassword" | "forgotPassword" | "resetPassword">;

/** Of two who change it at the same time, the later one didn't know the password that now holds. */
async function replace(tx: Db, userId: number, before: string | null, after: string): Promise<void> {
  const changed = await tx
    .updateTable("users")
    .set({ password_hash: after })
    .where("id", "=", userId)
    .where("password_hash", before === null ? "is" : "=", before)
    .executeTakeFirst();
  if (changed.numUpdatedRows === 0n)
    throw new ApiError("forbidden", "The password has just been changed.", { field: "currentPassword" });
}

function accountOf(db: Db, email: string) {
  return db
    .selectFrom("users")
    .select(["id", "email"])
    .where("email_key", "=", email.toLowerCase())
    .where("removing_at", "is", null)
    .executeTakeFirst();
}

/** Who followed the link reads what comes to the address, so it is confirmed; a link to one that was given up is none. */
async function reset(tx: Db, userId: number, address: string, passwordHash: string): Promise<void> {
  const changed = await tx
    .updateTable("users")
    .set({ password_hash: passwordHash, email_verified: 1 })
    .where("id", "=", userId)
    .where("email_key", "=", address.toLowerCase())
    .where("removing_at", "is", null)
    .executeTakeFirst();
  if (changed.numUpdatedRows === 0n) throw new ApiError("invalid_token", undefined, { field: "token" });
}

/**
 * What follows from a new password: links to set one are over, those to make another address the account's too, and so are the
 * other sessions; and the owner is told. For it may be set because somebody else had the old one.
 */
async function settle({ services, now }: Context, tx: Db, userId: number, but: number | null): Promise<void> {
  const { email: address } = await readUser(tx, userId);
  await dropTokens(tx, userId, "reset_password");
  await dropTokens(tx, userId, "confirm_email", address);
  await dropMails(tx, userId, address);
  await endSessions(tx, userId, but);
  await queueNotice(services, tx, { userId, kind: "password_changed", address, now });
}

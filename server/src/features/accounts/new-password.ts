import type { EndedAccess } from "@tandem/contract/account-resources";
import { ApiError } from "../../http/api-error.ts";
import type { Context, Handlers } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { endAccess, endAccessAndSecondFactor, readAccess, readEnding } from "./access.queries.ts";
import { lockAccount, readUser } from "./accounts.queries.ts";
import { hashPassword } from "./hashing.ts";
import { dropMails, postMails, queueMail, queueNotice } from "./mails.ts";
import { reauthenticate } from "./reauthentication.ts";
import { endSessions } from "./sessions.ts";
import { countAttempt, limitAttempts, mailAttempt, refundAttempt, tokenAttempt } from "./throttle.ts";
import { consumeMailedToken, requireToken, revokeTokens } from "./tokens.ts";
import { refuseWeakPassword } from "./weak-passwords.ts";

export const newPassword = {
  async changePassword(ctx, { currentPassword, password }) {
    const { caller, services } = ctx;
    // A replay must succeed although its `currentPassword` is the old one by now.
    const replay = await ctx.rehearse(async (tx) => ({ user: await readUser(tx, caller.userId) }));
    if (replay) return replay;
    const oldHash = await reauthenticate(ctx, currentPassword, "currentPassword");
    await refuseWeakPassword(password, await readUser(ctx.read, caller.userId));
    const newHash = await hashPassword(password);
    const response = await ctx.write(async (tx) => {
      await replacePassword(tx, caller.userId, oldHash, newHash);
      await revokeAccess(ctx, tx, caller.userId, caller.sessionId);
      return { user: await readUser(tx, caller.userId) };
    });
    postMails(services);
    return response;
  },
  async forgotPassword(ctx, { email }) {
    const { services, now } = ctx;
    const response = await ctx.write(async (tx) => {
      await countAttempt(ctx, tx, mailAttempt(ctx, email));
      const account = await findByEmail(tx, email);
      if (account) {
        ctx.concerns("user", account.id);
        const mail = { userId: account.id, kind: "reset_password", address: account.email, now } as const;
        await queueMail(services, tx, mail);
      }
      // The same for every address, so it reveals no account.
      return { ok: true, sendsEmail: services.mailer.delivers };
    });
    postMails(services);
    return response;
  },
  async resetPassword(ctx, { token, password, endAccess: ends = false }) {
    const attempt = tokenAttempt(ctx);
    const userId = await limitAttempts(ctx, attempt, async () => {
      return requireToken(ctx.read, "reset_password", token, ctx.now);
    });
    await refundAttempt(ctx, attempt);
    if (userId !== null) {
      ctx.concerns("user", userId);
      await refuseWeakPassword(password, await readUser(ctx.read, userId));
    }
    const newHash = await hashPassword(password);
    const response = await ctx.write(async (tx) => {
      const { userId, email } = await consumeMailedToken(tx, "reset_password", token, ctx.now);
      const isFirstProof = await resetPassword(tx, userId, email, newHash);
      const ended = isFirstProof || ends ? await readEnding(tx, userId, isFirstProof) : null;
      if (isFirstProof) await endAccessAndSecondFactor(tx, userId);
      else if (ends) await endAccess(tx, userId, null);
      await revokeAccess(ctx, tx, userId, null, ended);
      return { ok: true, access: await readAccess(tx, userId), ended };
    });
    postMails(ctx.services);
    return response;
  },
} satisfies Handlers<"changePassword" | "forgotPassword" | "resetPassword">;

/** Of two concurrent changes only the first succeeds: the second one's `currentPassword` is no longer current. */
async function replacePassword(
  tx: Db,
  userId: number,
  oldHash: string | null,
  newHash: string,
): Promise<void> {
  const changed = await tx
    .updateTable("users")
    .set({ password_hash: newHash })
    .where("id", "=", userId)
    .where("password_hash", oldHash === null ? "is" : "=", oldHash)
    .executeTakeFirst();
  if (changed.numUpdatedRows === 0n)
    throw new ApiError("forbidden", "Another request has just changed the password. Send the new one.", {
      field: "currentPassword",
    });
}

function findByEmail(db: Db, email: string) {
  return db
    .selectFrom("users")
    .select(["id", "email"])
    .where("email_key", "=", email.toLowerCase())
    .where("removing_at", "is", null)
    .executeTakeFirst();
}

/**
 * Anyone who has the link can read the address's mail, so this also verifies the address. Returns whether it is the first
 * proof: until then, the account may have been set up by someone else. A link that was sent to an address the account no
 * longer has is invalid.
 */
async function resetPassword(
  tx: Db,
  userId: number,
  address: string,
  passwordHash: string,
): Promise<boolean> {
  await lockAccount(tx, userId);
  const account = await tx
    .selectFrom("users")
    .select("email_verified")
    .where("id", "=", userId)
    .where("email_key", "=", address.toLowerCase())
    .where("removing_at", "is", null)
    .executeTakeFirst();
  if (!account) throw new ApiError("invalid_token", undefined, { field: "token" });
  await tx
    .updateTable("users")
    .set({ password_hash: passwordHash, email_verified: 1 })
    .where("id", "=", userId)
    .execute();
  return account.email_verified === 0;
}

/**
 * The password may be new because someone else knew the old one. So this ends the other sessions, revokes links that
 * reset the password or change the address, and tells the owner by mail. `exceptSession` survives.
 */
async function revokeAccess(
  { services, now }: Context,
  tx: Db,
  userId: number,
  exceptSession: number | null,
  ended: EndedAccess | null = null,
): Promise<void> {
  const { email: address } = await readUser(tx, userId);
  // Mails first: sending one creates its token while it holds the mail's row.
  await dropMails(tx, userId, address);
  await revokeTokens(tx, userId, "reset_password");
  await revokeTokens(tx, userId, "confirm_email", address);
  await endSessions(tx, userId, exceptSession);
  await queueNotice(services, tx, { userId, kind: "password_changed", address, ended, now });
}

import { ApiError, invalid } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import type { Handlers, SignedIn } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import {
  dropUnverifiedRequest,
  lockAccount,
  lockAddress,
  readUser,
  requireFreeEmail,
} from "./accounts.queries.ts";
import { postMails, queueMail, queueNotice } from "./mails.ts";
import { isPlaceholder } from "./placeholder.ts";
import { reauthenticate } from "./reauthentication.ts";
import { countAttempt, limitAttempts, mailAttempt, refundAttempt, tokenAttempt } from "./throttle.ts";
import { consumeMailedToken, requireToken, revokeTokens } from "./tokens.ts";

export const email = {
  async changeEmail(ctx, { email: address, password }) {
    if (isPlaceholder(address))
      throw invalid("email", "Mail can't be delivered to this address. Use another one.");
    // A replay isn't a new attempt, so it isn't counted.
    const replay = await ctx.rehearse(async () => ({ sent: false }));
    if (replay) return replay;
    await reauthenticate(ctx, password);
    // Counted even if refused: the refusal reveals that the address has an account.
    const attempt = mailAttempt(ctx, address);
    await limitAttempts(ctx, attempt, () => requireFreeEmail(ctx.read, address, ctx.caller.userId));
    if (ctx.dryRun) await refundAttempt(ctx, attempt);
    return sendConfirmationTo(ctx, async (tx) => {
      await requireFreeEmail(tx, address, ctx.caller.userId);
      return address;
    });
  },
  sendConfirmation: (ctx) =>
    sendConfirmationTo(ctx, async (tx) => {
      if (await isVerified(tx, ctx.caller.userId)) return null;
      const { email: address } = await readUser(tx, ctx.caller.userId);
      await countAttempt(ctx, tx, mailAttempt(ctx, address));
      return address;
    }),
  async confirmEmail(ctx, { token }) {
    const { services, caller, now } = ctx;
    const attempt = tokenAttempt(ctx);
    await limitAttempts(ctx, attempt, () => requireToken(ctx.read, "confirm_email", token, now));
    await refundAttempt(ctx, attempt);
    const response = await ctx.write(async (tx) => {
      const { userId, email } = await consumeMailedToken(tx, "confirm_email", token, now);
      ctx.concerns("user", userId);
      requireOwnSession(caller, userId);
      const previous = await confirm(tx, userId, email);
      if (previous !== null)
        await queueNotice(services, tx, { userId, kind: "email_changed", address: previous, now });
      return { ok: true };
    });
    postMails(services);
    return response;
  },
} satisfies Handlers<"changeEmail" | "sendConfirmation" | "confirmEmail">;

/** Sends a confirmation link to the address that `chooseAddress` returns, unless it is null. */
async function sendConfirmationTo(ctx: SignedIn, chooseAddress: (tx: Db) => Promise<string | null>) {
  const { services, caller, now } = ctx;
  const response = await ctx.write(async (tx) => {
    const address = await chooseAddress(tx);
    if (address === null) return { sent: false };
    return {
      sent: await queueMail(services, tx, { userId: caller.userId, kind: "confirm_email", address, now }),
    };
  });
  postMails(services);
  return response;
}

/**
 * Someone may have signed up with another person's address, who then opens the link. So it proves an address only in a session
 * of the account. Throwing brings the token back.
 */
function requireOwnSession(caller: Caller | null, userId: number): void {
  if (caller?.userId === userId && caller.sessionId !== null) return;
  throw new ApiError(
    "unauthorized",
    "Log in to the account that this link was sent for, then open it again.",
  );
}

async function isVerified(db: Db, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom("users")
    .select("email_verified")
    .where("id", "=", userId)
    .executeTakeFirst();
  return row?.email_verified === 1;
}

/** Sets the account's address and marks it verified. Returns the previous address, or null if it was the same. */
async function confirm(tx: Db, userId: number, address: string): Promise<string | null> {
  const key = address.toLowerCase();
  await lockAccount(tx, userId);
  const row = await tx
    .selectFrom("users")
    .select(["email", "email_key"])
    .where("id", "=", userId)
    .where("removing_at", "is", null)
    .executeTakeFirst();
  if (!row) throw new ApiError("invalid_token", undefined, { field: "token" });
  await lockAddress(tx, address);
  await dropUnverifiedRequest(tx, address);
  await requireFreeEmail(tx, address, userId);
  await tx
    .updateTable("users")
    .set({ email: address, email_key: key, email_verified: 1 })
    .where("id", "=", userId)
    .execute();
  if (row.email_key === key) return null;
  // Reset links that were sent to the old address must stop working.
  await revokeTokens(tx, userId, "reset_password");
  return row.email;
}

import { ApiError, invalid } from "../../http/api-error.ts";
import type { Handlers, SignedIn } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount, readUser, requireFreeEmail } from "./accounts.queries.ts";
import { leadsNowhere, postMails, queueMail, queueNotice } from "./mails.ts";
import { requireOwner } from "./reauthentication.ts";
import { readSecurity } from "./security.ts";
import { count, counted, forgive, mailAttempt, tokenAttempt } from "./throttle.ts";
import { dropTokens, requireToken, spendToken } from "./tokens.ts";

export const email = {
  async changeEmail(ctx, { email: address, password }) {
    if (leadsNowhere(address)) throw invalid("email", "No mail is delivered to this address.");
    // A repetition asks for nothing, so it counts as nothing.
    const before = await ctx.rehearse(async () => ({ sent: false }));
    if (before) return before;
    await requireOwner(ctx, password);
    // Counted though it be refused, for that tells who has an account.
    const attempt = mailAttempt(ctx, address);
    await counted(ctx, attempt, () => requireFreeEmail(ctx.read, address, ctx.caller.userId));
    if (ctx.dryRun) await forgive(ctx, attempt);
    return ask(ctx, async (tx) => {
      await requireFreeEmail(tx, address, ctx.caller.userId);
      return address;
    });
  },
  sendConfirmation: (ctx) =>
    ask(ctx, async (tx) => {
      const { emailVerified } = await readSecurity(tx, ctx.caller.userId);
      if (emailVerified) return null;
      const { email: address } = await readUser(tx, ctx.caller.userId);
      await count(ctx, tx, mailAttempt(ctx, address));
      return address;
    }),
  async confirmEmail(ctx, { token }) {
    const { services, now } = ctx;
    const attempt = tokenAttempt(ctx);
    await counted(ctx, attempt, () => requireToken(ctx.read, "confirm_email", token, now));
    await forgive(ctx, attempt);
    const answer = await ctx.write(async (tx) => {
      const { userId, about } = await spendToken(tx, "confirm_email", token, now);
      const before = await confirm(tx, userId, about);
      if (before !== null)
        await queueNotice(services, tx, { userId, kind: "email_changed", address: before, now });
      return { ok: true };
    });
    postMails(services);
    return answer;
  },
} satisfies Handlers<"changeEmail" | "sendConfirmation" | "confirmEmail">;

/** Has a link sent to the address that `choose` gives, if any. */
async function ask(ctx: SignedIn, choose: (tx: Db) => Promise<string | null>) {
  const { services, caller, now } = ctx;
  const answer = await ctx.write(async (tx) => {
    const address = await choose(tx);
    if (address === null) return { sent: false };
    return {
      sent: await queueMail(services, tx, { userId: caller.userId, kind: "confirm_email", address, now }),
    };
  });
  postMails(services);
  return answer;
}

/** Makes the address the account's, and confirmed. Gives back the one before, where that was another. */
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
  await requireFreeEmail(tx, address, userId);
  await tx
    .updateTable("users")
    .set({ email: address, email_key: key, email_verified: 1 })
    .where("id", "=", userId)
    .execute();
  if (row.email_key === key) return null;
  // A link that was sent to the old address opens nothing any more.
  await dropTokens(tx, userId, "reset_password");
  return row.email;
}

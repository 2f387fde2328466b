import { DAY } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { ApiError, invalid, notFound } from "../../http/api-error.ts";
import type { Handlers, SignedIn } from "../../http/context.ts";
import { strikesEndAt } from "../../http/graduation.ts";
import type { Db } from "../../storage/storage.ts";
import { addInvitation, asInvitation } from "./invitations.queries.ts";
import { countAttempt, invitationAttempt } from "./throttle.ts";

export const invitations = {
  createInvitation: (ctx, { uses = 1, days = limits.invitationDays.default }) =>
    ctx.write(async (tx) => {
      if (ctx.caller.role !== "admin") await requireAllowance(ctx, tx, uses);
      const { caller, now } = ctx;
      const expiresAt = now + days * DAY;
      const row = await addInvitation(tx, { userId: caller.userId, uses, expiresAt, now });
      return { invitation: asInvitation(row, ctx.services.baseUrl) };
    }),
  async listInvitations({ read, caller, now, services }) {
    const rows = await read
      .selectFrom("invitations")
      .selectAll()
      .where("user_id", "=", caller.userId)
      .where("expires_at", ">", now)
      .orderBy("id", "desc")
      .limit(limits.longList)
      .execute();
    return { invitations: rows.map((row) => asInvitation(row, services.baseUrl)) };
  },
  revokeInvitation: (ctx, { id }) =>
    ctx.write(async (tx) => {
      const deleted = await tx
        .deleteFrom("invitations")
        .where("id", "=", id)
        .where("user_id", "=", ctx.caller.userId)
        .executeTakeFirst();
      if (deleted.numDeletedRows === 0n) throw notFound("invitation");
      return { removed: true };
    }),
} satisfies Handlers<"createInvitation" | "listInvitations" | "revokeInvitation">;

/** What people who aren't admins may create: a few uses a day, from an account in good standing. */
async function requireAllowance(ctx: SignedIn, tx: Db, uses: number): Promise<void> {
  const { limits: settings } = ctx.services.config;
  const most = limits.invitationUses.person;
  if (uses > most) throw invalid("uses", `uses must be at most ${most}, unless you are an admin.`);
  const { created_at, last_strike_at } = await tx
    .selectFrom("users")
    .select(["created_at", "last_strike_at"])
    .where("id", "=", ctx.caller.userId)
    .executeTakeFirstOrThrow();
  const { standingDays } = settings.holding;
  if (ctx.now - created_at < standingDays * DAY)
    throw new ApiError("forbidden", `You can invite people once your account is ${standingDays} days old.`);
  if (strikesEndAt(last_strike_at, settings, ctx.now) !== null)
    throw new ApiError("forbidden", "You can invite people again once your strike has expired.");
  await countAttempt(ctx, tx, invitationAttempt(ctx));
}

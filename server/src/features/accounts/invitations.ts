import { DAY } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { MAX_ID } from "@tandem/contract/schema";
import { ApiError, invalid, notFound } from "../../http/api-error.ts";
import { record } from "../../http/audit.ts";
import type { Handlers, SignedIn } from "../../http/context.ts";
import { strikesEndAt } from "../../http/graduation.ts";
import { pageOf } from "../../http/page.ts";
import type { Db } from "../../storage/storage.ts";
import { addInvitation, asInvitation, stateOf } from "./invitations.queries.ts";
import { requireOpen } from "./registration.ts";
import { countAttempt, invitationAttempt } from "./throttle.ts";

export const invitations = {
  createInvitation: (ctx, { uses = 1, days = limits.invitationDays.default }) =>
    ctx.write(async (tx) => {
      requireOpen(ctx.services);
      const { caller, now } = ctx;
      const byAdmin = caller.role === "admin";
      if (!byAdmin) await requireAllowance(ctx, tx, uses);
      const expiresAt = now + days * DAY;
      const row = await addInvitation(tx, { userId: caller.userId, byAdmin, uses, expiresAt, now });
      await recordOfAdmin(ctx, tx, "createInvitation", row.id, { uses, days });
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
        .$if(ctx.caller.role !== "admin", (query) => query.where("user_id", "=", ctx.caller.userId))
        .executeTakeFirst();
      if (deleted.numDeletedRows === 0n) throw notFound("invitation");
      await recordOfAdmin(ctx, tx, "revokeInvitation", id, {});
      return { removed: true };
    }),
  async listAllInvitations(ctx, { limit = limits.page.default, cursor = MAX_ID }) {
    const rows = await ctx.read
      .selectFrom("invitations")
      .leftJoin("users", "users.id", "invitations.user_id")
      .selectAll("invitations")
      .select(["users.username as createdBy", "users.display_name as createdByDisplayName"])
      .where("invitations.id", "<", cursor)
      .where("expires_at", ">", ctx.now)
      .orderBy("invitations.id", "desc")
      .limit(limit + 1)
      .execute();
    const { page, nextCursor } = pageOf(ctx, rows, limit);
    const invitations = page.map(({ createdBy, createdByDisplayName, ...row }) => ({
      ...stateOf(row),
      ...{ createdBy, createdByDisplayName },
    }));
    return { invitations, nextCursor };
  },
} satisfies Handlers<"createInvitation" | "listInvitations" | "revokeInvitation" | "listAllInvitations">;

/** Records what an admin does by operations that aren't for admins only. */
async function recordOfAdmin({ caller, now }: SignedIn, tx: Db, act: string, id: number, detail: object) {
  if (caller.role === "admin") await record(tx, [{ caller, act, target: `invitation:${id}`, detail, now }]);
}

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

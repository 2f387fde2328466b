import type { Handlers } from "../../http/context.ts";
import { readUser } from "../accounts/accounts.queries.ts";
import { scheduleLinkChecks } from "./link-checks.ts";
import { requestChecks, setLinks } from "./links.ts";

export const profile = {
  async editProfile(ctx, { displayName, bio, links }) {
    const response = await ctx.write(async (tx) => {
      const { userId } = ctx.caller;
      const changes = {
        ...(displayName !== undefined && { display_name: displayName }),
        ...(bio !== undefined && { bio }),
      };
      if (Object.keys(changes).length > 0) {
        await tx.updateTable("users").set(changes).where("id", "=", userId).execute();
      }
      if (links !== undefined) await setLinks(ctx, tx, links ?? []);
      return { user: await readUser(tx, userId) };
    });
    if (links && !ctx.dryRun) scheduleLinkChecks(ctx.services);
    return response;
  },
  async checkProfileLinks(ctx) {
    const response = await ctx.write(async (tx) => {
      await requestChecks(ctx, tx);
      return { user: await readUser(tx, ctx.caller.userId) };
    });
    if (!ctx.dryRun) scheduleLinkChecks(ctx.services);
    return response;
  },
} satisfies Handlers<"editProfile" | "checkProfileLinks">;

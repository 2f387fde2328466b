import type { Handlers } from "../../http/context.ts";
import { readUser } from "../accounts/accounts.queries.ts";

export const profile = {
  editProfile: (ctx, { displayName, bio }) =>
    ctx.write(async (tx) => {
      const { userId } = ctx.caller;
      const changes = {
        ...(displayName !== undefined && { display_name: displayName }),
        ...(bio !== undefined && { bio }),
      };
      if (Object.keys(changes).length > 0) {
        await tx.updateTable("users").set(changes).where("id", "=", userId).execute();
      }
      return { user: await readUser(tx, userId) };
    }),
} satisfies Handlers<"editProfile">;

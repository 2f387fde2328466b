import type { Preferences } from "@tandem/contract/resources";
import type { Handlers } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";

export const preferences = {
  readPreferences: async (ctx) => ({ preferences: await preferencesOf(ctx.read, ctx.caller.userId) }),
  editPreferences: (ctx, { aiPosts, aiComments, aiNotifications, sensitivePosts }) =>
    ctx.write(async (tx) => {
      const { userId } = ctx.caller;
      const changes = {
        ...(aiPosts !== undefined && { ai_posts: aiPosts }),
        ...(aiComments !== undefined && { ai_comments: aiComments }),
        ...(aiNotifications !== undefined && { ai_notifications: aiNotifications }),
        ...(sensitivePosts !== undefined && { sensitive_posts: sensitivePosts }),
      };
      if (Object.keys(changes).length > 0)
        await tx.updateTable("users").set(changes).where("id", "=", userId).execute();
      return { preferences: await preferencesOf(tx, userId) };
    }),
} satisfies Handlers<"readPreferences" | "editPreferences">;

export function preferencesOf(db: Db, userId: number): Promise<Preferences> {
  return db
    .selectFrom("users")
    .select([
      "ai_posts as aiPosts",
      "ai_comments as aiComments",
      "ai_notifications as aiNotifications",
      "sensitive_posts as sensitivePosts",
    ])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
}

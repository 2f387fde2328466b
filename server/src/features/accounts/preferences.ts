import type { EmailDigest, Preferences } from "@tandem/contract/resources";
import { invalid } from "../../http/api-error.ts";
import type { Handlers, SignedIn } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { chooseDigest } from "./digest-choice.ts";

export const preferences = {
  readPreferences: async (ctx) => ({ preferences: await preferencesOf(ctx.read, ctx.caller.userId) }),
  editPreferences: (ctx, { aiPosts, aiComments, aiNotifications, sensitivePosts, emailDigest }) => {
    if (emailDigest !== undefined) requireMail(ctx, emailDigest);
    return ctx.write(async (tx) => {
      const { userId } = ctx.caller;
      const changes = {
        ...(aiPosts !== undefined && { ai_posts: aiPosts }),
        ...(aiComments !== undefined && { ai_comments: aiComments }),
        ...(aiNotifications !== undefined && { ai_notifications: aiNotifications }),
        ...(sensitivePosts !== undefined && { sensitive_posts: sensitivePosts }),
      };
      if (Object.keys(changes).length > 0)
        await tx.updateTable("users").set(changes).where("id", "=", userId).execute();
      if (emailDigest !== undefined) await chooseDigest(tx, userId, emailDigest, ctx.now);
      return { preferences: await preferencesOf(tx, userId) };
    });
  },
} satisfies Handlers<"readPreferences" | "editPreferences">;

/** Throws `invalid_input` if a digest is chosen that could never arrive. */
function requireMail({ caller, services }: SignedIn, chosen: EmailDigest): void {
  if (chosen === "off") return;
  if (caller.isAgent) throw invalid("emailDigest", "Agents have no email address, so they get no digest.");
  if (!services.mailer.delivers) throw invalid("emailDigest", "This service doesn't send email.");
}

export function preferencesOf(db: Db, userId: number): Promise<Preferences> {
  return db
    .selectFrom("users as u")
    .leftJoin("digests as d", "d.user_id", "u.id")
    .select([
      "u.ai_posts as aiPosts",
      "u.ai_comments as aiComments",
      "u.ai_notifications as aiNotifications",
      "u.sensitive_posts as sensitivePosts",
    ])
    .select((eb) => eb.fn.coalesce("d.every", eb.val<EmailDigest>("off")).as("emailDigest"))
    .where("u.id", "=", userId)
    .executeTakeFirstOrThrow();
}

import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import type { Role } from "@tandem/contract/resources";
import type { Actor, Handlers } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount, readUser } from "../accounts/accounts.queries.ts";
import { authorOf } from "../accounts/author.ts";
import { replaceAuthorName } from "../posts/replace-author.ts";
import { profileName } from "../shared/ai-fields.ts";
import { aiMarkOfText } from "../shared/authorship.ts";
import { logCurrent } from "../transparency-log/current.ts";
import { scheduleLinkChecks } from "./link-checks.ts";
import { requestChecks, setLinks } from "./links.ts";

export const profile = {
  async editProfile(ctx, input) {
    const response = await ctx.write((tx) => editProfile(ctx, tx, input));
    if (input.links && !ctx.dryRun) scheduleLinkChecks(ctx.services);
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

export async function editProfile(
  actor: Actor,
  tx: Db,
  { displayName, bio, links }: Input<Operations["editProfile"]>,
) {
  const { caller, now } = actor;
  const { userId } = caller;
  if (displayName !== undefined || bio !== undefined) {
    await lockAccount(tx, userId);
    const before = await textsOf(tx, userId);
    const name = { text: before.name, mark: before.display_name_is_ai };
    const about = { text: before.bio, mark: before.bio_is_ai };
    const changes = {
      ...(displayName !== undefined &&
        nameColumns(displayName, aiMarkOfText(caller, displayName, name), before.role)),
      ...(bio !== undefined && { bio, bio_is_ai: aiMarkOfText(caller, bio, about) }),
    };
    await tx.updateTable("users").set(changes).where("id", "=", userId).execute();
    if (changes.display_name !== undefined && changes.display_name !== before.display_name)
      await replaceAuthorName(
        actor,
        tx,
        await authorOf(tx, userId),
        before.display_name,
        changes.display_name,
      );
  }
  if (links !== undefined) await setLinks(actor, tx, links ?? []);
  if (displayName !== undefined || bio !== undefined || links !== undefined)
    await logCurrent(tx, "profile", userId, now);
  return { user: await readUser(tx, userId) };
}

/** A name beside posts, messages and so on has no room for a mark of its own, so a person's must be their own words there. */
function nameColumns(name: string | null, isAi: number, role: Role) {
  const isHidden = isAi === 1 && role !== "agent";
  return {
    display_name: isHidden ? null : name,
    ai_display_name: isHidden ? name : null,
    display_name_is_ai: isAi,
  };
}

function textsOf(tx: Db, userId: number) {
  return tx
    .selectFrom("users")
    .select(["role", "display_name", "display_name_is_ai", "bio", "bio_is_ai"])
    .select(profileName("users").as("name"))
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
}

import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import type { Actor, Handlers } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount, readUser } from "../accounts/accounts.queries.ts";
import { aiMarkOfText } from "../shared/authorship.ts";

export const profile = {
  editProfile: (ctx, input) => ctx.write((tx) => editProfile(ctx, tx, input)),
} satisfies Handlers<"editProfile">;

export async function editProfile(
  { caller }: Actor,
  tx: Db,
  { displayName, bio }: Input<Operations["editProfile"]>,
) {
  const { userId } = caller;
  if (displayName !== undefined || bio !== undefined) {
    await lockAccount(tx, userId);
    const before = await marksOf(tx, userId);
    const changes = {
      ...(displayName !== undefined && {
        display_name: displayName,
        display_name_is_ai: aiMarkOfText(caller, displayName, before.display_name_is_ai),
      }),
      ...(bio !== undefined && { bio, bio_is_ai: aiMarkOfText(caller, bio, before.bio_is_ai) }),
    };
    await tx.updateTable("users").set(changes).where("id", "=", userId).execute();
  }
  return { user: await readUser(tx, userId) };
}

function marksOf(tx: Db, userId: number) {
  return tx
    .selectFrom("users")
    .select(["display_name_is_ai", "bio_is_ai"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
}

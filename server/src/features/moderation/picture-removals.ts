import type { ProfilePicture } from "@tandem/contract/moderation";
import { ApiError } from "../../http/api-error.ts";
import type { Handlers } from "../../http/context.ts";
import { deleteOrphans } from "../../media/delete-orphans.ts";
import type { Db } from "../../storage/storage.ts";
import { clearPicture } from "../profile/pictures.ts";
import { noSuchAccount } from "./accounts.queries.ts";
import { recordDecision } from "./decide.ts";
import { asDecision, type FoundDecision } from "./decisions.queries.ts";
import { aboutName } from "./excerpts.ts";

export const pictureRemovals = {
  async removeProfilePicture(ctx, { id, picture, reason }) {
    const { write, now, services } = ctx;
    const response = await write(async (tx) => ({
      decision: asDecision(await removePicture(tx, id, picture, { reason, now }), now),
    }));
    services.afterResponse.run("deletions", () => deleteOrphans(services));
    return response;
  },
} satisfies Handlers<"removeProfilePicture">;

export class NoSuchPicture extends ApiError {
  constructor(picture: ProfilePicture) {
    super("not_found", `This account has no ${picture}.`);
  }
}

/** Deletes an account's picture, and notifies the account and its operator. Throws `not_found`. */
export async function removePicture(
  tx: Db,
  userId: number,
  picture: ProfilePicture,
  { reason, now }: { reason: string; now: number },
): Promise<FoundDecision> {
  const account = await tx.selectFrom("users").select("username").where("id", "=", userId).executeTakeFirst();
  if (!account) throw noSuchAccount();
  if (!(await clearPicture(tx, userId, picture, now))) throw new NoSuchPicture(picture);
  return recordDecision(tx, {
    act: `remove_${picture}`,
    user_id: userId,
    community_id: null,
    ...aboutName(account.username),
    ...{ reason, automated: 0, until_at: null, created_at: now },
  });
}

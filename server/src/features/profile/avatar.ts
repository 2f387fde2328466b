import { digitalSourceTypes } from "@tandem/contract/digital-source-types";
import { sql } from "kysely";
import type { Actor, Handlers } from "../../http/context.ts";
import { namingField } from "../../http/files.ts";
import { deleteOrphans } from "../../media/delete-orphans.ts";
import { addMedium, detachAvatars } from "../../media/rows.ts";
import { type MediaUpload, withUploads } from "../../media/upload.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount, readUser } from "../accounts/accounts.queries.ts";
import { replaceAuthorAvatar } from "../posts/replace-author-avatar.ts";
import { aiMark, authorshipOf } from "../shared/authorship.ts";

export const avatar = {
  async setAvatar(ctx, { image }) {
    const { services, caller, now } = ctx;
    const replay = await ctx.rehearse(async (tx) => ({ user: await readUser(tx, caller.userId) }));
    if (replay) return replay;
    const mark = digitalSourceTypes[authorshipOf(caller, undefined).provenance];
    const store = async (upload: MediaUpload) => {
      const mediaUrl = await namingField("image", () => upload.avatar(image.path, mark));
      const add = (tx: Db, owner: Parameters<typeof addMedium>[1]["owner"]) =>
        addMedium(tx, { owner, state: "ready", files: upload.files, now });
      return ctx.write(
        (tx) => setAvatar(ctx, tx, { mediaUrl, attachFiles: (userId) => add(tx, { user_id: userId }) }),
        { facts: { mediaUrl }, attachFiles: (tx, draftId) => add(tx, { draft_id: draftId }) },
      );
    };
    const response = await withUploads(services, store, { dryRun: ctx.dryRun });
    services.afterResponse.run("deletions", () => deleteOrphans(services));
    return response;
  },
} satisfies Handlers<"setAvatar">;

interface StoredAvatar {
  mediaUrl: string;
  /** Assigns the files to the account. */
  attachFiles(userId: number): Promise<void>;
}

/** Replaces the caller's avatar by stored files. */
export async function setAvatar({ caller }: Actor, tx: Db, { mediaUrl, attachFiles }: StoredAvatar) {
  const { userId } = caller;
  await lockAccount(tx, userId);
  await detachAvatars(tx, userId);
  await attachFiles(userId);
  const { avatarUrl } = await readUser(tx, userId);
  await tx
    .updateTable("users")
    // A new picture has a mark of its own.
    .set({ avatar_url: mediaUrl, avatar_is_ai: aiMark(caller) })
    .where("id", "=", userId)
    .execute();
  const creator = sql<number>`select id from creators where user_id = ${userId}`;
  await replaceAuthorAvatar(tx, creator, avatarUrl, mediaUrl);
  return { user: await readUser(tx, userId) };
}

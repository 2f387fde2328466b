import { digitalSourceTypes } from "@tandem/contract/digital-source-types";
import { sql } from "kysely";
import type { Actor, Handlers } from "../../http/context.ts";
import { namingField } from "../../http/files.ts";
import { deleteOrphans } from "../../media/delete-orphans.ts";
import { addMedium, detachAvatars } from "../../media/rows.ts";
import type { SourceType } from "../../media/source-type.ts";
import { type MediaUpload, withUploads } from "../../media/upload.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount, readUser } from "../accounts/accounts.queries.ts";
import { replaceAuthorAvatar } from "../posts/replace-author.ts";
import { authorshipOf, avatarMark } from "../shared/authorship.ts";

export const avatar = {
  async setAvatar(ctx, { image }) {
    const { services, caller, now } = ctx;
    const replay = await ctx.rehearse(async (tx) => ({ user: await readUser(tx, caller.userId) }));
    if (replay) return replay;
    const asked = digitalSourceTypes[authorshipOf(caller, undefined).provenance];
    const store = async (upload: MediaUpload) => {
      const { address, mark } = await namingField("image", () => upload.avatar(image.path, asked));
      const facts: AvatarFacts = { mediaUrl: address, mark };
      const add = (tx: Db, owner: Parameters<typeof addMedium>[1]["owner"]) =>
        addMedium(tx, { owner, state: "ready", files: upload.files, now });
      return ctx.write(
        (tx) => setAvatar(ctx, tx, { ...facts, attachFiles: (userId) => add(tx, { user_id: userId }) }),
        { facts, attachFiles: (tx, draftId) => add(tx, { draft_id: draftId }) },
      );
    };
    const response = await withUploads(services, store, { dryRun: ctx.dryRun });
    services.afterResponse.run("deletions", () => deleteOrphans(services));
    return response;
  },
} satisfies Handlers<"setAvatar">;

/** What is known of an avatar before it is an account's. */
export interface AvatarFacts {
  mediaUrl: string;
  /** What its file says about AI. */
  mark: SourceType | null;
}

interface StoredAvatar extends AvatarFacts {
  /** Assigns the files to the account. */
  attachFiles(userId: number): Promise<void>;
}

/** Replaces the caller's avatar by stored files. */
export async function setAvatar({ caller }: Actor, tx: Db, { mediaUrl, mark, attachFiles }: StoredAvatar) {
  const { userId } = caller;
  await lockAccount(tx, userId);
  await detachAvatars(tx, userId);
  await attachFiles(userId);
  const { avatarUrl } = await readUser(tx, userId);
  await tx
    .updateTable("users")
    // A new picture has a mark of its own.
    .set({ avatar_url: mediaUrl, avatar_is_ai: avatarMark(caller, mark) })
    .where("id", "=", userId)
    .execute();
  const creator = sql<number>`select id from creators where user_id = ${userId}`;
  await replaceAuthorAvatar(tx, creator, avatarUrl, mediaUrl);
  return { user: await readUser(tx, userId) };
}

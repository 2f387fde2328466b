import { sql } from "kysely";
import type { Handlers } from "../../http/context.ts";
import { namingField } from "../../http/files.ts";
import { deleteOrphans } from "../../media/delete-orphans.ts";
import { addMedium, detachAvatars } from "../../media/rows.ts";
import { type MediaUpload, withUploads } from "../../media/upload.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount, readUser } from "../accounts/accounts.queries.ts";
import { replaceAuthorAvatar } from "../posts/replace-author-avatar.ts";

export const avatar = {
  async setAvatar(ctx, { image }) {
    const { services, caller, now } = ctx;
    const replay = await ctx.rehearse(async (tx) => ({ user: await readUser(tx, caller.userId) }));
    if (replay) return replay;
    const store = async (upload: MediaUpload) => {
      const address = await namingField("image", () => upload.avatar(image.path));
      return ctx.write(async (tx) => {
        await lockAccount(tx, caller.userId);
        await detachAvatars(tx, caller.userId);
        await addMedium(tx, { owner: { user_id: caller.userId }, state: "ready", files: upload.files, now });
        await replaceAvatar(tx, caller.userId, address);
        return { user: await readUser(tx, caller.userId) };
      });
    };
    const response = await withUploads(services, store, { dryRun: ctx.dryRun });
    services.afterResponse.run("deletions", () => deleteOrphans(services));
    return response;
  },
} satisfies Handlers<"setAvatar">;

async function replaceAvatar(tx: Db, userId: number, address: string): Promise<void> {
  const { avatarUrl } = await readUser(tx, userId);
  await tx.updateTable("users").set({ avatar_url: address }).where("id", "=", userId).execute();
  await replaceAuthorAvatar(
    tx,
    sql<number>`select id from creators where user_id = ${userId}`,
    avatarUrl,
    address,
  );
}

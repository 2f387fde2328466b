import type { Call, Handlers, SignedIn } from "../../http/context.ts";
import { namingField } from "../../http/files.ts";
import { deleteOrphans } from "../../media/delete-orphans.ts";
import { addMedium, detachCommunityPicture } from "../../media/rows.ts";
import { type MediaUpload, withUploads } from "../../media/upload.ts";
import type { Db } from "../../storage/storage.ts";
import { pictureMark } from "../shared/authorship.ts";
import { logCurrent } from "../transparency-log/current.ts";
import { recordAct } from "./audit.ts";
import { communityResponse, lockFor } from "./communities.queries.ts";

export const communityPictures = {
  async setCommunityPicture(ctx, { name, image }) {
    const replay = await ctx.rehearse(async (tx) => {
      await lockFor(tx, "setCommunityPicture", name, ctx);
      return communityResponse(tx, name, ctx);
    });
    if (replay) return replay;
    const store = async (stored: MediaUpload) => {
      const { address, mark } = await namingField("image", () =>
        stored.profilePicture("avatar", image.path, null),
      );
      const isAi = pictureMark(ctx.caller, mark);
      return ctx.write((tx) => replace(ctx, tx, name, { address, isAi, files: stored.files }));
    };
    const response = await withUploads(ctx.services, store, { dryRun: ctx.dryRun });
    deleteLater(ctx);
    return response;
  },
  async deleteCommunityPicture(ctx, { name }) {
    const response = await ctx.write(async (tx) => {
      const { id } = await lockFor(tx, "deleteCommunityPicture", name, ctx);
      await clearCommunityPicture(tx, id, ctx.now);
      await recordAct(ctx, tx, {
        ...{ operation: "deleteCommunityPicture", name, target: `community:${id}`, detail: {} },
      });
      return communityResponse(tx, name, ctx);
    });
    deleteLater(ctx);
    return response;
  },
} satisfies Handlers<"setCommunityPicture" | "deleteCommunityPicture">;

interface NewPicture {
  address: string;
  isAi: number;
  files: MediaUpload["files"];
}

async function replace(call: Call, tx: Db, name: string, { address, isAi, files }: NewPicture) {
  const { id } = await lockFor(tx, "setCommunityPicture", name, call);
  await detachCommunityPicture(tx, id);
  await addMedium(tx, { owner: { community_id: id }, state: "ready", files, now: call.now });
  await write(tx, id, { url: address, isAi, now: call.now });
  return communityResponse(tx, name, call);
}

/** Deletes the picture of a community, which must be locked. */
export async function clearCommunityPicture(tx: Db, id: number, now: number): Promise<void> {
  await detachCommunityPicture(tx, id);
  await write(tx, id, { url: null, isAi: 0, now });
}

interface Picture {
  url: string | null;
  isAi: number;
  now: number;
}

async function write(tx: Db, id: number, { url, isAi, now }: Picture): Promise<void> {
  await tx
    .updateTable("communities")
    .set({ picture_url: url, picture_is_ai: isAi })
    .where("id", "=", id)
    .execute();
  await logCurrent(tx, "community", id, now);
}

function deleteLater({ services }: SignedIn): void {
  services.afterResponse.run("deletions", () => deleteOrphans(services));
}

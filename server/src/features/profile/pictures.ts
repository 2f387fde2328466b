import { digitalSourceTypes } from "@tandem/contract/digital-source-types";
import type { ProfilePicture } from "@tandem/contract/moderation-names";
import { changedNothing } from "../../http/activity.ts";
import type { Actor, Handlers } from "../../http/context.ts";
import { namingField, type Uploads } from "../../http/files.ts";
import { deleteOrphans } from "../../media/delete-orphans.ts";
import { addMedium, detachPicture } from "../../media/rows.ts";
import type { SourceType } from "../../media/source-type.ts";
import { type MediaUpload, withUploads } from "../../media/upload.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount, readUser } from "../accounts/accounts.queries.ts";
import { replaceAuthorAvatar, replaceAvatar } from "../posts/replace-author.ts";
import { authorshipOf, pictureMark } from "../shared/authorship.ts";
import { logCurrent } from "../transparency-log/current.ts";

export const profilePictures = {
  setAvatar: (ctx, { image }) => upload(ctx, "avatar", image),
  setBanner: (ctx, { image }) => upload(ctx, "banner", image),
  async deleteBanner(ctx) {
    const response = await ctx.write((tx) => deleteBanner(ctx, tx));
    ctx.services.afterResponse.run("deletions", () => deleteOrphans(ctx.services));
    return response;
  },
} satisfies Handlers<"setAvatar" | "setBanner" | "deleteBanner">;

type Context = Parameters<Handlers<"setAvatar">["setAvatar"]>[0];

async function upload(ctx: Context, picture: ProfilePicture, { path }: Uploads["picture"]) {
  const { services, caller, now } = ctx;
  const replay = await ctx.rehearse(async (tx) => ({ user: await readUser(tx, caller.userId) }));
  if (replay) return replay;
  const asked = digitalSourceTypes[authorshipOf(caller, undefined).provenance];
  const store = async (stored: MediaUpload) => {
    const { address, mark } = await namingField("image", () => stored.profilePicture(picture, path, asked));
    const facts: PictureFacts = { mediaUrl: address, mark };
    const add = (tx: Db, owner: Parameters<typeof addMedium>[1]["owner"]) =>
      addMedium(tx, { owner, picture, state: "ready", files: stored.files, now });
    return ctx.write(
      (tx) =>
        setPicture(ctx, tx, picture, { ...facts, attachFiles: (userId) => add(tx, { user_id: userId }) }),
      { facts, attachFiles: (tx, draftId) => add(tx, { draft_id: draftId }) },
    );
  };
  const response = await withUploads(services, store, { dryRun: ctx.dryRun });
  services.afterResponse.run("deletions", () => deleteOrphans(services));
  return response;
}

/** What is known of a picture before it is a profile's. */
export interface PictureFacts {
  mediaUrl: string;
  /** What its file says about AI. */
  mark: SourceType | null;
}

interface StoredPicture extends PictureFacts {
  /** Assigns the files to the account. */
  attachFiles(userId: number): Promise<void>;
}

/** Replaces a picture of the caller's profile by stored files. */
export async function setPicture(
  actor: Actor,
  tx: Db,
  picture: ProfilePicture,
  { mediaUrl, mark, attachFiles }: StoredPicture,
) {
  const { caller, now } = actor;
  const { userId } = caller;
  await lockAccount(tx, userId);
  await detachPicture(tx, userId, picture);
  await attachFiles(userId);
  const { avatarUrl } = await readUser(tx, userId);
  // A new picture has a mark of its own.
  const isAi = pictureMark(caller, mark);
  const changes =
    picture === "avatar"
      ? { avatar_url: mediaUrl, avatar_is_ai: isAi }
      : { banner_url: mediaUrl, banner_is_ai: isAi };
  await tx.updateTable("users").set(changes).where("id", "=", userId).execute();
  if (picture === "avatar") await replaceAuthorAvatar(actor, tx, avatarUrl, mediaUrl);
  await logCurrent(tx, "profile", userId, now);
  return { user: await readUser(tx, userId) };
}

export async function deleteBanner({ caller, now }: Actor, tx: Db) {
  const wasThere = await clearPicture(tx, caller.userId, "banner", now);
  const response = { user: await readUser(tx, caller.userId) };
  return wasThere ? response : changedNothing(response);
}

/** Removes a picture from a profile, here and on its posts. Returns whether there was one. Throws `not_found`. */
export async function clearPicture(
  tx: Db,
  userId: number,
  picture: ProfilePicture,
  now: number,
): Promise<boolean> {
  await lockAccount(tx, userId);
  const { avatarUrl, bannerUrl } = await readUser(tx, userId);
  const address = picture === "avatar" ? avatarUrl : bannerUrl;
  await detachPicture(tx, userId, picture);
  const changes = picture === "avatar" ? { avatar_url: null } : { banner_url: null };
  await tx.updateTable("users").set(changes).where("id", "=", userId).execute();
  if (picture === "avatar" && address !== null) await replaceAvatar(tx, userId, address, null);
  await logCurrent(tx, "profile", userId, now);
  return address !== null;
}

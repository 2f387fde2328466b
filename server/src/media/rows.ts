import type { ProfilePicture } from "@tandem/contract/moderation-names";
import type { MediaState } from "@tandem/contract/post-resources";
import { prepared } from "../storage/prepared.ts";
import type { Db } from "../storage/storage.ts";
import type { SourceType } from "./source-type.ts";

/** A stored file. */
export interface MediaFile {
  name: string;
  variant: string;
  bytes: number;
  width: number | null;
  height: number | null;
  /** The AI mark that is embedded in it. */
  mark?: SourceType | null;
  /** The hash of its bytes, in hexadecimal. */
  sha256: string | null;
}

/** An upload's files and owner. */
export interface NewMedium {
  /** Which picture of the profile it is, if its owner is an account or will be. */
  picture?: ProfilePicture;
  owner: { post_id: number } | { user_id: number } | { draft_id: number } | { community_id: number };
  state: MediaState;
  files: readonly MediaFile[];
  now: number;
}

export async function addMedium(tx: Db, { owner, picture, state, files, now }: NewMedium): Promise<void> {
  const { id } = await tx
    .insertInto("media")
    .values({
      post_id: null,
      user_id: null,
      draft_id: null,
      ...owner,
      is_banner: picture === "banner" ? 1 : 0,
      state,
      attempts: 0,
      due_at: state === "preparing" ? now : null,
      created_at: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await addFiles(tx, id, files);
}

export async function addFiles(tx: Db, mediaId: number, files: readonly MediaFile[]): Promise<void> {
  if (files.length === 0) return;
  const rows = files.map((file) => ({ ...file, media_id: mediaId }));
  await tx.insertInto("media_files").values(rows).execute();
}

/** A medium's files that lack this mark. The uploader's original is never marked. */
export function filesToMark(db: Db, mediaId: number, mark: SourceType): Promise<MediaFile[]> {
  return db
    .selectFrom("media_files")
    .select(["name", "variant", "bytes", "width", "height", "mark", "sha256"])
    .where("media_id", "=", mediaId)
    .where("variant", "<>", "original")
    .where((eb) => eb.or([eb("mark", "is", null), eb("mark", "<>", mark)]))
    .execute();
}

/** Replaces files of a medium. The old ones are deleted later; the new ones are withheld if the old ones were. */
export async function replaceFiles(
  tx: Db,
  mediaId: number,
  old: readonly MediaFile[],
  files: readonly MediaFile[],
): Promise<void> {
  if (old.length === 0) return;
  const { withheld } = await tx
    .selectFrom("media_files")
    .select((eb) => eb.fn.max("withheld").as("withheld"))
    .where("media_id", "=", mediaId)
    .executeTakeFirstOrThrow();
  const { created_at } = await tx
    .selectFrom("media")
    .select("created_at")
    .where("id", "=", mediaId)
    .executeTakeFirstOrThrow();
  const { id } = await tx
    .insertInto("media")
    .values({ post_id: null, user_id: null, draft_id: null, state: "ready", attempts: 0, created_at })
    .returning("id")
    .executeTakeFirstOrThrow();
  const names = old.map(({ name }) => name);
  await tx.updateTable("media_files").set({ media_id: id }).where("name", "in", names).execute();
  await addFiles(tx, mediaId, files);
  const added = files.map(({ name }) => name);
  await tx.updateTable("media_files").set({ withheld }).where("name", "in", added).execute();
}

/** Removes a picture from a profile; its files are deleted later. */
export async function detachPicture(tx: Db, userId: number, picture: ProfilePicture): Promise<void> {
  await tx
    .updateTable("media")
    .set({ user_id: null })
    .where("user_id", "=", userId)
    .where("is_banner", "=", picture === "banner" ? 1 : 0)
    .execute();
}

/** Removes a community's picture; its files are deleted later. */
export async function detachCommunityPicture(tx: Db, communityId: number): Promise<void> {
  await tx.updateTable("media").set({ community_id: null }).where("community_id", "=", communityId).execute();
}

/** Removes a post's media; the files are deleted later. */
export async function detachPostMedia(tx: Db, postId: number): Promise<void> {
  await tx.updateTable("media").set({ post_id: null }).where("post_id", "=", postId).execute();
}

/** Moves a draft's media to the post that the draft has become. */
export async function moveToPost(tx: Db, draftId: number, postId: number): Promise<void> {
  await tx
    .updateTable("media")
    .set({ post_id: postId, draft_id: null })
    .where("draft_id", "=", draftId)
    .execute();
}

/** Moves a draft's avatar or banner to the account that the draft was written for. */
export async function moveToAccount(tx: Db, draftId: number, userId: number): Promise<void> {
  await tx
    .updateTable("media")
    .set({ user_id: userId, draft_id: null })
    .where("draft_id", "=", draftId)
    .execute();
}

/** Stops (1) or resumes (0) serving a post's media. */
export async function withhold(tx: Db, postId: number, withheld: 0 | 1): Promise<void> {
  const ids = tx.selectFrom("media").select("id").where("post_id", "=", postId);
  await tx.updateTable("media_files").set({ withheld }).where("media_id", "in", ids).execute();
}

/** The hash of a file's bytes, in hexadecimal; null if it isn't known. */
export async function fileHash(db: Db, name: string): Promise<string | null> {
  const [file] = await hashByName(db, { name });
  return file?.sha256 ?? null;
}

const hashByName = prepared<{ name: string }, { sha256: string | null }>((db, { name }) =>
  db.selectFrom("media_files").select("sha256").where("name", "=", name).compile(),
);

/** Whether a file isn't served, because a moderator removed its post. */
export async function isWithheld(db: Db, name: string): Promise<boolean> {
  const [file] = await withheldByName(db, { name });
  return file?.withheld === 1;
}

const withheldByName = prepared<{ name: string }, { withheld: number }>((db, { name }) =>
  db.selectFrom("media_files").select("withheld").where("name", "=", name).compile(),
);

/** Those of these files that have a row. */
export async function filesWithRow(db: Db, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const rows = await db
    .selectFrom("media_files")
    .select("name")
    .where("name", "in", names)
    .unionAll(
      db
        .selectFrom("remote_pictures")
        .select("file as name")
        .where("file", "in", names)
        .$narrowType<{ name: string }>(),
    )
    .execute();
  return new Set(rows.map(({ name }) => name));
}

/** A medium without an owner, and its files. */
export interface Unowned {
  id: number;
  names: string[];
}

/** Up to `limit` of them, in the order of their ids, after this id. */
export async function unowned(db: Db, after: number, limit: number): Promise<Unowned[]> {
  const media = (await unownedIds(db, after, limit).execute()).map(({ id }) => ({
    id,
    names: [] as string[],
  }));
  if (media.length === 0) return [];
  const byId = new Map(media.map((medium) => [medium.id, medium]));
  const files = await db
    .selectFrom("media_files")
    .select(["media_id", "name"])
    .where("media_id", "in", [...byId.keys()])
    .execute();
  for (const { media_id, name } of files) byId.get(media_id)?.names.push(name);
  return media;
}

/** Runs often and over all media, so it must use an index. */
export function unownedIds(db: Db, after: number, limit: number) {
  return db
    .selectFrom("media")
    .select("id")
    .where("post_id", "is", null)
    .where("user_id", "is", null)
    .where("draft_id", "is", null)
    .where("community_id", "is", null)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit);
}

export async function deleteMedia(tx: Db, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom("media").where("id", "in", ids).execute();
}

/** A medium's file of this variant. */
export async function fileOf(db: Db, mediaId: number, variant: string): Promise<string | null> {
  const row = await db
    .selectFrom("media_files")
    .select("name")
    .where("media_id", "=", mediaId)
    .where("variant", "=", variant)
    .executeTakeFirst();
  return row?.name ?? null;
}

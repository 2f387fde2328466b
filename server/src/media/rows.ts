import type { MediaState } from "@tandem/contract/resources";
import { prepared } from "../storage/prepared.ts";
import type { Db } from "../storage/storage.ts";

/** A file in the store, as its row names it. */
export interface MediaFile {
  name: string;
  variant: string;
  bytes: number;
  width: number | null;
  height: number | null;
}

/** What was uploaded at once, and whose it is. */
export interface NewMedium {
  owner: { post_id: number } | { user_id: number } | { draft_id: number };
  state: MediaState;
  files: readonly MediaFile[];
  now: number;
}

export async function addMedium(tx: Db, { owner, state, files, now }: NewMedium): Promise<void> {
  const { id } = await tx
    .insertInto("media")
    .values({
      post_id: null,
      user_id: null,
      draft_id: null,
      ...owner,
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

/** Takes an account's avatars away from it; their files are removed later. */
export async function disownAvatars(tx: Db, userId: number): Promise<void> {
  await tx.updateTable("media").set({ user_id: null }).where("user_id", "=", userId).execute();
}

/** Takes what a post shows away from it; the files are removed later. */
export async function disownPictures(tx: Db, postId: number): Promise<void> {
  await tx.updateTable("media").set({ post_id: null }).where("post_id", "=", postId).execute();
}

/** Gives what came with a draft to the post that the draft has become. */
export async function moveToPost(tx: Db, draftId: number, postId: number): Promise<void> {
  await tx
    .updateTable("media")
    .set({ post_id: postId, draft_id: null })
    .where("draft_id", "=", draftId)
    .execute();
}

/** Serves what a post shows to nobody from now on, or to whoever asks for it again. */
export async function withhold(tx: Db, postId: number, withheld: 0 | 1): Promise<void> {
  const shown = tx.selectFrom("media").select("id").where("post_id", "=", postId);
  await tx.updateTable("media_files").set({ withheld }).where("media_id", "in", shown).execute();
}

/** Whether a file is served to nobody. */
export async function isWithheld(db: Db, name: string): Promise<boolean> {
  const [file] = await withheldByName(db, { name });
  return file?.withheld === 1;
}

const withheldByName = prepared<{ name: string }, { withheld: number }>((db, { name }) =>
  db.selectFrom("media_files").select("withheld").where("name", "=", name).compile(),
);

/** Which of these files some row names. */
export async function namedOf(db: Db, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const rows = await db.selectFrom("media_files").select("name").where("name", "in", names).execute();
  return new Set(rows.map(({ name }) => name));
}

/** A medium that belongs to nobody any more, and its files. */
export interface Unowned {
  id: number;
  names: string[];
}

/** Some of them, in the order of their ids and behind one of these. */
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

/** Looked for very often, among all media that there are. */
export function unownedIds(db: Db, after: number, limit: number) {
  return db
    .selectFrom("media")
    .select("id")
    .where("post_id", "is", null)
    .where("user_id", "is", null)
    .where("draft_id", "is", null)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit);
}

export async function forget(tx: Db, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom("media").where("id", "in", ids).execute();
}

/** The file of a medium that has this part in it. */
export async function fileOf(db: Db, mediaId: number, variant: string): Promise<string | null> {
  const row = await db
    .selectFrom("media_files")
    .select("name")
    .where("media_id", "=", mediaId)
    .where("variant", "=", variant)
    .executeTakeFirst();
  return row?.name ?? null;
}

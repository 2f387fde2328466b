import { type Selectable, sql } from "kysely";
import type { ImportAdditionRow } from "../../storage/schema/accounts.ts";
import type { Db } from "../../storage/storage.ts";
import { unfollowAll } from "../communities/followed-communities.ts";
import { unfollowIds } from "../people/follows.ts";
import { deleteEmpty, takeAllOff } from "../people/lists.ts";
import { unmuteAll } from "../people/mutes.ts";
import { removeOwnPosts } from "../posts/remove-posts.ts";
import { unsavePosts } from "../posts/saves.ts";
import type { Progress } from "./progress.ts";

/** Posts, or other additions, that one transaction takes back. */
const POSTS = 25;
const OTHERS = 100;

/** Locks the posts that come next, so that no one comments on them meanwhile. Before the account: the order of other writes. */
export async function lockNextPosts(tx: Db, importId: number): Promise<void> {
  if (!tx.engine.rowLocks) return;
  await sql`select id from posts where id in (${nextPosts(tx, importId)}) order by id for update`.execute(tx);
}

function nextPosts(tx: Db, importId: number) {
  return tx
    .selectFrom("imported_posts")
    .select("post_id")
    .where("import_id", "=", importId)
    .orderBy("post_id")
    .limit(POSTS);
}

/**
 * Takes back some of what an import added, and counts what stays. Returns whether there may be more. After {@link lockNextPosts}; the
 * account must be locked.
 */
export async function undoSome(
  tx: Db,
  importId: number,
  userId: number,
  progress: Progress,
): Promise<boolean> {
  return (
    (await undoPosts(tx, importId, userId, progress)) || (await undoOthers(tx, importId, userId, progress))
  );
}

/** Deletes posts, except those that their author or others have worked with since. */
async function undoPosts(tx: Db, importId: number, userId: number, progress: Progress): Promise<boolean> {
  const next = await nextPosts(tx, importId).execute();
  if (next.length === 0) return false;
  const ids = next.map(({ post_id }) => post_id);
  await removeOwnPosts(tx, await unchangedAmong(tx, ids), userId);
  await sql`update imported_posts set import_id = null
    where import_id = ${importId} and post_id in (${tx.engine.oneOf(ids)})`.execute(tx);
  const { rows } =
    await sql`select id from posts where id in (${tx.engine.oneOf(ids)}) and removed = 0`.execute(tx);
  progress.count("posts", "kept", rows.length);
  return true;
}

/** Those that no one edited, pinned, quoted, reposted or commented on. Held comments and quotes count: they may come back. */
async function unchangedAmong(tx: Db, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from posts p where id in (${tx.engine.oneOf(ids)})
      and version = 1 and repost_count = 0
      and not exists (select 1 from comments where post_id = p.id)
      and not exists (select 1 from posts q where q.quoted_id = p.id)
      and not exists (select 1 from pinned_posts where post_id = p.id)
    order by id`.execute(tx);
  return rows.map(({ id }) => id);
}

type Addition = Selectable<ImportAdditionRow>;

/** The latest first, so that a list comes after those on it. */
async function undoOthers(tx: Db, importId: number, userId: number, progress: Progress): Promise<boolean> {
  const rows = await tx
    .selectFrom("import_additions")
    .selectAll()
    .where("import_id", "=", importId)
    .orderBy("id", "desc")
    .limit(OTHERS)
    .execute();
  if (rows.length === 0) return false;
  const of = (...parts: Addition["part"][]) => rows.filter(({ part }) => parts.includes(part));
  const targets = (ofParts: readonly Addition[]) => ofParts.flatMap(({ target_id }) => target_id ?? []);
  const [lists, members] = [of("lists"), of("lists").filter(({ target_id }) => target_id !== null)];
  const made = lists.flatMap(({ target_id, list_id }) => (target_id === null && list_id ? [list_id] : []));
  const communities = of("communities").flatMap(({ name }) => name ?? []);
  if (members.length > 0) await takeAllOff(tx, userId, members);
  if (made.length > 0) progress.count("lists", "kept", await deleteEmpty(tx, userId, made));
  if (communities.length > 0) await unfollowAll(tx, userId, "reddit", communities);
  for (const part of ["mutes", "blocks"] as const) {
    const mutes = targets(of(part));
    if (mutes.length > 0) progress.count(part, "kept", await unmuteAll(tx, userId, mutes));
  }
  const bookmarks = targets(of("bookmarks"));
  const saved = await notCollected(tx, userId, bookmarks);
  progress.count("bookmarks", "kept", bookmarks.length - saved.length);
  if (saved.length > 0) await unsavePosts(tx, saved, userId);
  await unfollowIds(tx, targets(of("follows")), userId);
  const ids = rows.map(({ id }) => id);
  await sql`delete from import_additions where id in (${tx.engine.oneOf(ids)})`.execute(tx);
  return true;
}

/** Posts in a collection were saved once more, as it were. */
async function notCollected(tx: Db, userId: number, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: number }>`
    select id from (${tx.engine.oneOf(ids)}) as saved
    where not exists (select 1 from collection_posts c where c.post_id = saved.id and c.user_id = ${userId})`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
}

import { limits } from "@tandem/contract/limits";
import { nativePlatform, type OriginPlatform } from "@tandem/contract/origins";
import { sql } from "kysely";
import type { ArchivedBookmark, ArchivedFollow } from "../../origins/archives/archive.ts";
import type { Db } from "../../storage/storage.ts";
import { authorKey } from "../creators/creators.queries.ts";
import { addFollow } from "../people/follows.ts";
import { saveAll } from "../posts/saves.ts";
import type { Progress } from "./progress.ts";

/** Follows those whose posts are here. */
export async function addFollows(
  tx: Db,
  userId: number,
  follows: readonly ArchivedFollow[],
  progress: Progress,
): Promise<void> {
  const byName = await creatorsNamed(tx, follows);
  const found = new Set<number>();
  for (const follow of follows) {
    const creators = follow.keyPrefix
      ? await creatorWithKeys(tx, follow.keyPrefix)
      : matching(follow, byName);
    for (const id of creators) found.add(id);
    if (creators.length === 0) progress.miss("follows", follow.name);
  }
  let room = await roomForFollows(tx, userId, found.size);
  // Sorted, because each locks its creator.
  for (const creator of [...found].sort((a, b) => a - b)) {
    if (room <= 0) progress.count("follows", "too_many");
    else if (await addFollow(tx, userId, creator)) {
      progress.count("follows", "added");
      room -= 1;
    } else progress.count("follows", "existing");
  }
}

interface Named {
  id: number;
  platform: OriginPlatform;
  author_key: string;
}

/** Creators of other platforms that have posts here. */
async function creatorsNamed(tx: Db, follows: readonly ArchivedFollow[]): Promise<Named[]> {
  const keys = follows.flatMap(({ author }) => (author === null ? [] : [{ key: authorKey(author) }]));
  if (keys.length === 0) return [];
  const listed = tx.engine.jsonRows(JSON.stringify(keys), { key: "text" });
  const { rows } = await sql<Named>`
    select id, platform, author_key from creators
    where author_key in (select key from (${listed}) as listed)
      and platform <> ${nativePlatform} and post_count > 0`.execute(tx);
  return rows;
}

function matching({ author, platform }: ArchivedFollow, creators: readonly Named[]): number[] {
  if (author === null) return [];
  const key = authorKey(author);
  return creators
    .filter((one) => one.author_key === key && (platform === null || one.platform === platform))
    .map(({ id }) => id);
}

/** The creator of an imported post of Bluesky whose key begins so. The character after the slash ends the range. */
async function creatorWithKeys(tx: Db, prefix: string): Promise<number[]> {
  const end = `${prefix.slice(0, -1)}0`;
  const { rows } = await sql<{ creator_id: number }>`
    select p.creator_id from gathered g join posts p on p.id = g.post_id
    where g.platform = 'bluesky' and g.key >= ${prefix} and g.key < ${end}
      and substr(g.key, 1, ${sql.lit(prefix.length)}) = ${prefix}
    limit 1`.execute(tx);
  return rows.map(({ creator_id }) => creator_id);
}

/** How many more creators the account can follow, if that is fewer than `wanted`. */
async function roomForFollows(tx: Db, userId: number, wanted: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from follows
    where user_id = ${userId}`.execute(tx);
  return Math.min(wanted, limits.followsPerAccount - Number(rows[0]?.count));
}

/** Saves those that are here. */
export async function saveBookmarks(
  tx: Db,
  userId: number,
  bookmarks: readonly ArchivedBookmark[],
  progress: Progress,
): Promise<void> {
  const wanted = bookmarks.flatMap(({ key, platforms }) => platforms.map((platform) => ({ key, platform })));
  const listed = tx.engine.jsonRows(JSON.stringify(wanted), { key: "text", platform: "text" });
  const { rows } = await sql<{ key: string; id: number }>`
    select listed.key, g.post_id as id from (${listed}) as listed
    join gathered g on g.platform = listed.platform and g.key = listed.key
    join posts p on p.id = g.post_id where p.removed = 0`.execute(tx);
  const postOf = new Map(rows.map(({ key, id }) => [key, id]));
  const saved = await saveAll(tx, userId, [...new Set(postOf.values())]);
  for (const { key, name } of bookmarks) {
    const post = postOf.get(key);
    if (post === undefined) progress.miss("bookmarks", name);
    else progress.count("bookmarks", saved.has(post) ? "added" : "existing");
  }
}

import type { ImportPart } from "@tandem/contract/imports";
import { limits } from "@tandem/contract/limits";
import { nativePlatform, type OriginPlatform } from "@tandem/contract/origins";
import { type Selectable, sql } from "kysely";
import type {
  Archived,
  ArchivedAccount,
  ArchivedBookmark,
  ArchivedCommunity,
} from "../../origins/archives/archive.ts";
import { insertRows } from "../../storage/bulk.ts";
import type { ImportAdditionRow } from "../../storage/schema/accounts.ts";
import type { Db } from "../../storage/storage.ts";
import { followAll } from "../communities/followed-communities.ts";
import { authorKey } from "../creators/creators.queries.ts";
import { addFollow } from "../people/follows.ts";
import { addToNamed } from "../people/lists.ts";
import { muteAll } from "../people/mutes.ts";
import { saveAll } from "../posts/saves.ts";
import type { Progress } from "./progress.ts";

/** Whose import it is. The account is locked. */
export interface Adding {
  userId: number;
  importId: number;
  now: number;
}

type NamePart = Exclude<ImportPart, "posts">;
type Names = {
  [Part in NamePart]: (
    tx: Db,
    adding: Adding,
    items: readonly Archived[Part][],
    progress: Progress,
  ) => Promise<void>;
};

/** Adds what is here of each part, counts what became of it, and records what was added. */
export const addNames: Names = {
  async follows(tx, { userId, importId }, accounts, progress) {
    const found = new Set((await findCreators(tx, "follows", accounts, progress)).flatMap(({ ids }) => ids));
    let room = await roomForFollows(tx, userId, found.size);
    const added: number[] = [];
    // Sorted, because each locks its creator.
    for (const id of [...found].sort((a, b) => a - b)) {
      if (room <= 0) progress.count("follows", "too_many");
      else if (await addFollow(tx, userId, id)) {
        added.push(id);
        room -= 1;
      } else progress.count("follows", "existing");
    }
    await record(
      tx,
      importId,
      "follows",
      added.map((target_id) => ({ target_id })),
      progress,
    );
  },

  async communities(tx, { userId, importId }, communities, progress) {
    const here = await communitiesHere(tx, communities);
    const names = communities.flatMap(({ name, community }) => {
      if (here.has(community.toLowerCase())) return [community];
      progress.miss("communities", name);
      return [];
    });
    const { added, existing, tooMany } = await followAll(tx, userId, "reddit", names);
    progress.count("communities", "existing", existing.length);
    progress.count("communities", "too_many", tooMany.length);
    await record(
      tx,
      importId,
      "communities",
      added.map((name) => ({ name })),
      progress,
    );
  },

  async lists(tx, { userId, importId, now }, members, progress) {
    const found = await findCreators(tx, "lists", members, progress);
    const lists = new Map<string, number[]>();
    for (const { of, ids } of found) {
      const before = lists.get(of.list);
      if (before) before.push(...ids);
      else lists.set(of.list, [...ids]);
    }
    for (const [list, ids] of lists) {
      const creators = [...new Set(ids)];
      const listed = await addToNamed(tx, { userId, now }, list, creators);
      if (listed === null) {
        progress.count("lists", "too_many", creators.length);
        continue;
      }
      const { listId: list_id, isNewList, added, existing, tooMany } = listed;
      progress.count("lists", "existing", existing.length);
      progress.count("lists", "too_many", tooMany.length);
      // Undone in the reverse order: a list when no one is on it any more.
      if (isNewList)
        await insertRows(tx, "import_additions", [{ import_id: importId, part: "lists", list_id }]);
      await record(
        tx,
        importId,
        "lists",
        added.map((target_id) => ({ target_id, list_id })),
        progress,
      );
    }
  },

  mutes: (tx, adding, accounts, progress) => addMutes(tx, adding, "mutes", accounts, progress),
  // Only accounts of this service can be blocked.
  blocks: (tx, adding, accounts, progress) => addMutes(tx, adding, "blocks", accounts, progress),

  async bookmarks(tx, { userId, importId }, bookmarks, progress) {
    const postOf = await postsHere(tx, bookmarks);
    const saved = await saveAll(tx, userId, [...new Set(postOf.values())]);
    for (const { key, name } of bookmarks) {
      const post = postOf.get(key);
      if (post === undefined) progress.miss("bookmarks", name);
      else if (!saved.has(post)) progress.count("bookmarks", "existing");
    }
    await record(
      tx,
      importId,
      "bookmarks",
      [...saved].map((target_id) => ({ target_id })),
      progress,
    );
  },
};

async function addMutes(
  tx: Db,
  { userId, importId, now }: Adding,
  part: "mutes" | "blocks",
  accounts: readonly ArchivedAccount[],
  progress: Progress,
): Promise<void> {
  const found = await findCreators(tx, part, accounts, progress);
  const wanted = [...new Set(found.flatMap(({ ids }) => ids))].sort((a, b) => a - b);
  const { added, tooMany } = await muteAll(tx, userId, wanted, now);
  progress.count(part, "existing", wanted.length - added.size - tooMany.size);
  progress.count(part, "too_many", tooMany.size);
  await record(
    tx,
    importId,
    part,
    [...added.values()].map((target_id) => ({ target_id })),
    progress,
  );
}

type Added = Partial<Pick<Selectable<ImportAdditionRow>, "target_id" | "list_id" | "name">>;

/** Counts what was added, and records it to be undone. */
async function record(
  tx: Db,
  importId: number,
  part: NamePart,
  added: readonly Added[],
  progress: Progress,
): Promise<void> {
  progress.count(part, "added", added.length);
  const rows = added.map((one) => ({ import_id: importId, part, ...one }));
  await insertRows(tx, "import_additions", rows);
}

/** The creators of accounts that have posts here. The other accounts are listed as missing. */
async function findCreators<Account extends ArchivedAccount>(
  tx: Db,
  part: NamePart,
  accounts: readonly Account[],
  progress: Progress,
): Promise<{ of: Account; ids: number[] }[]> {
  const byName = await creatorsNamed(tx, accounts);
  const found: { of: Account; ids: number[] }[] = [];
  for (const of of accounts) {
    const ids = of.keyPrefix ? await creatorWithKeys(tx, of.keyPrefix) : matching(of, byName);
    if (ids.length > 0) found.push({ of, ids });
    else progress.miss(part, of.name);
  }
  return found;
}

interface Named {
  id: number;
  platform: OriginPlatform;
  author_key: string;
}

/** Creators of other platforms that have posts here. */
async function creatorsNamed(tx: Db, follows: readonly ArchivedAccount[]): Promise<Named[]> {
  const keys = follows.flatMap(({ author }) => (author === null ? [] : [{ key: authorKey(author) }]));
  if (keys.length === 0) return [];
  const listed = tx.engine.jsonRows(JSON.stringify(keys), { key: "text" });
  const { rows } = await sql<Named>`
    select id, platform, author_key from creators
    where author_key in (select key from (${listed}) as listed)
      and platform <> ${nativePlatform} and post_count > 0`.execute(tx);
  return rows;
}

function matching({ author, platform }: ArchivedAccount, creators: readonly Named[]): number[] {
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

/** The keys of those communities that have posts here. */
async function communitiesHere(tx: Db, communities: readonly ArchivedCommunity[]): Promise<Set<string>> {
  const keys = communities.map(({ community }) => ({ key: community.toLowerCase() }));
  const listed = tx.engine.jsonRows(JSON.stringify(keys), { key: "text" });
  const { rows } = await sql<{ key: string }>`
    select listed.key from (${listed}) as listed
    where exists (select 1 from posts p where p.platform = 'reddit' and p.community_key = listed.key)`.execute(
    tx,
  );
  return new Set(rows.map(({ key }) => key));
}

/** The posts that are here, by the keys of their bookmarks. */
async function postsHere(tx: Db, bookmarks: readonly ArchivedBookmark[]): Promise<Map<string, number>> {
  const wanted = bookmarks.flatMap(({ key, platforms }) => platforms.map((platform) => ({ key, platform })));
  const listed = tx.engine.jsonRows(JSON.stringify(wanted), { key: "text", platform: "text" });
  const { rows } = await sql<{ key: string; id: number }>`
    select listed.key, g.post_id as id from (${listed}) as listed
    join gathered g on g.platform = listed.platform and g.key = listed.key
    join posts p on p.id = g.post_id where p.removed = 0`.execute(tx);
  return new Map(rows.map(({ key, id }) => [key, id]));
}

import type { OriginPlatform, Platform } from "@tandem/contract/origins";
import { nativePlatform } from "@tandem/contract/origins";
import { type RawBuilder, sql } from "kysely";
import { fold } from "../../storage/fold.ts";
import { fromFragment } from "../../storage/post-fragment.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";

/** The counters of a new creator. */
export const counters = { post_count: 0, view_count: 0, like_count: 0, comment_count: 0, click_count: 0 };

/** Names are compared without regard to case, here and on every origin platform. */
export function authorKey(author: string): string {
  return author.toLowerCase();
}

/** Adds an account as the author of its posts. It can be found and followed from the start. */
export async function addNativeCreator(tx: Db, userId: number, username: string): Promise<void> {
  const { id } = await tx
    .insertInto("creators")
    .values({
      platform: nativePlatform,
      author: username,
      author_key: authorKey(username),
      user_id: userId,
      ...counters,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await tx.engine.creatorSearch.add(tx, [{ id, folded: fold(username) }]);
}

/** The id of the creator with this name, if there is one. */
export async function findCreator(db: Db, platform: Platform, author: string): Promise<number | undefined> {
  const [row] = await byName(db, { platform, key: authorKey(author) });
  return row?.id;
}

/** The same, except for one that only mutes made: no one else may learn of those. */
export async function findPublicCreator(
  db: Db,
  platform: Platform,
  author: string,
): Promise<number | undefined> {
  const [row] = await byName(db, { platform, key: authorKey(author) });
  return row && isPublic(row) ? row.id : undefined;
}

/** Whether anyone may know of a creator: it has an account, posts or followers, not only mutes. */
export function isPublic({ user_id, post_count, follower_count }: Known): boolean {
  return user_id !== null || post_count > 0 || follower_count > 0;
}

interface Known {
  user_id: number | null;
  post_count: number;
  follower_count: number;
}

const byName = prepared<{ platform: Platform; key: string }, Known & { id: number }>(
  (db, { platform, key }) =>
    db
      .selectFrom("creators")
      .select(["id", "user_id", "post_count", "follower_count"])
      .where("platform", "=", platform)
      .where("author_key", "=", key)
      .compile(),
);

/**
 * The avatar of an author on an origin platform. Origins send it with each post, so the latest post has the current one. Removed
 * posts don't show it.
 */
export async function latestAvatar(
  db: Db,
  { platform, author }: { platform: Platform; author: string },
): Promise<string | null> {
  const [post] = await latestPost(db, { platform, key: authorKey(author) });
  return post ? fromFragment(post.fragment).authorAvatarUrl : null;
}

const latestPost = prepared<{ platform: Platform; key: string }, { fragment: string }>(
  (db, { platform, key }) =>
    sql<{ fragment: string }>`
      select p.fragment from creators c join posts p on p.creator_id = c.id
      where c.platform = ${platform} and c.author_key = ${key} and c.user_id is null and p.removed = 0
      order by p.id desc limit 1`.compile(db),
);

/** The ids of the creators with this name, on any platform. */
export async function creatorsNamed(db: Db, author: string): Promise<number[]> {
  return (await byNameAnywhere(db, { key: authorKey(author) })).map((row) => row.id);
}

const byNameAnywhere = prepared<{ key: string }, { id: number }>((db, { key }) =>
  db.selectFrom("creators").select("id").where("author_key", "=", key).compile(),
);

/** The creator of an author on an origin platform, added if necessary. Search finds it from its first post on. */
export async function foreignCreator(tx: Db, platform: OriginPlatform, author: string): Promise<number> {
  const existing = await findCreator(tx, platform, author);
  if (existing !== undefined) return existing;
  const values = { platform, author, author_key: authorKey(author), user_id: null, ...counters };
  const { id } = await tx.insertInto("creators").values(values).returning("id").executeTakeFirstOrThrow();
  return id;
}

/** Like {@link foreignCreator}, for many authors of one platform. Returns their creators by {@link authorKey}. */
export async function foreignCreators(
  tx: Db,
  platform: OriginPlatform,
  authors: readonly string[],
): Promise<Map<string, number>> {
  const spellings = new Map(authors.map((author) => [authorKey(author), author]));
  const found = await byKeys(tx, platform, [...spellings.keys()]);
  // Inserted in a fixed order, so that concurrent calls with the same authors don't deadlock.
  const unknown = [...spellings].filter(([key]) => !found.has(key)).sort(([a], [b]) => (a < b ? -1 : 1));
  if (unknown.length === 0) return found;
  const rows = unknown.map(([author_key, author]) => ({
    platform,
    author,
    author_key,
    user_id: null,
    ...counters,
  }));
  await tx
    .insertInto("creators")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return byKeys(tx, platform, [...spellings.keys()]);
}

async function byKeys(tx: Db, platform: OriginPlatform, keys: string[]): Promise<Map<string, number>> {
  const listed = tx.engine.jsonRows(JSON.stringify(keys.map((key) => ({ key }))), { key: "text" });
  // Looks up each key. With a join, PostgreSQL may compare all creators with all keys before it has statistics of the table.
  const { rows } = await sql<{ id: number | null; key: string }>`
    select (select id from creators where platform = ${platform} and author_key = listed.key) as id, listed.key
    from (${listed}) as listed`.execute(tx);
  return new Map(rows.flatMap(({ id, key }) => (id === null ? [] : [[key, id]])));
}

interface NewPosts {
  creatorId: number;
  author: string;
  posts: number;
}

/**
 * Counts new posts of creators, each listed once. With its first post, a creator of an origin platform enters the search and
 * takes the origin's spelling; until then it may have had a follower's, in any case.
 */
export async function countPostsOfAll(tx: Db, counts: readonly NewPosts[]): Promise<void> {
  const rows = counts.map(({ creatorId, author, posts }) => ({
    creator_id: creatorId,
    spelt: author,
    posts,
  }));
  const listed = tx.engine.jsonRows(JSON.stringify(rows), {
    creator_id: "integer",
    spelt: "text",
    posts: "integer",
  });
  const counted = await sql<Counted & { id: number }>`
    update creators set post_count = post_count + listed.posts from (${listed}) as listed
    where creators.id = listed.creator_id returning id, post_count, user_id`.execute(tx);
  const total = new Map(counted.rows.map((row) => [row.id, row.user_id === null ? row.post_count : null]));
  const first = counts.filter(({ creatorId, posts }) => total.get(creatorId) === posts);
  if (first.length > 0) await makeFindable(tx, first);
}

async function makeFindable(tx: Db, creators: readonly NewPosts[]): Promise<void> {
  const rows = creators.map(({ creatorId, author }) => ({ creator_id: creatorId, spelt: author }));
  const listed = tx.engine.jsonRows(JSON.stringify(rows), { creator_id: "integer", spelt: "text" });
  await sql`update creators set author = listed.spelt from (${listed}) as listed
    where creators.id = listed.creator_id`.execute(tx);
  await tx.engine.creatorSearch.remove(tx, sql<number>`select creator_id from (${listed}) as listed`);
  await tx.engine.creatorSearch.add(
    tx,
    creators.map(({ creatorId, author }) => ({ id: creatorId, folded: fold(author) })),
  );
}

/**
 * Deletes those of these creators that have no account, no posts, removed or not, and no one who follows, mutes or lists them, except
 * for an account that is leaving.
 */
export async function deleteUnusedCreators(tx: Db, creators: RawBuilder<number>, leaving = 0): Promise<void> {
  const found = await sql<{ id: number }>`${unusedOf(creators, leaving)} order by id
    ${tx.engine.rowLocks ? sql`for update` : sql``}`.execute(tx);
  if (found.rows.length === 0) return;
  // Looks again now that they are locked: a concurrent transaction may have referred to one since, and its rows would be deleted, too.
  // One that refers to one from now on waits, and then begins again.
  const unused = unusedOf(tx.engine.oneOf(found.rows.map(({ id }) => id)), leaving);
  await tx.engine.creatorSearch.remove(tx, unused);
  await sql`delete from creators where id in (${unused})`.execute(tx);
}

function unusedOf(creators: RawBuilder<unknown>, leaving: number): RawBuilder<number> {
  return sql<number>`
    select id from creators where id in (${creators}) and user_id is null
      and not exists (select 1 from posts where creator_id = creators.id)
      and not exists (select 1 from removed_posts where creator_id = creators.id)
      and not exists (select 1 from follows where creator_id = creators.id and user_id <> ${leaving})
      and not exists (select 1 from mutes where creator_id = creators.id and user_id <> ${leaving})
      and not exists (select 1 from list_members where creator_id = creators.id and user_id <> ${leaving})`;
}

interface Counted {
  post_count: number;
  user_id: number | null;
}

/** The creator of an account's posts. */
export async function creatorOf(db: Db, userId: number): Promise<number> {
  const [row] = await byUser(db, { userId });
  if (!row) throw new Error(`account ${userId} has no creator`);
  return row.id;
}

const byUser = prepared<{ userId: number }, { id: number }>((db, { userId }) =>
  db.selectFrom("creators").select("id").where("user_id", "=", userId).compile(),
);

/** The account behind a creator; null for a creator of another platform. */
export async function accountOf(db: Db, creatorId: number): Promise<number | null> {
  const [row] = await byCreator(db, { creatorId });
  return row?.user_id ?? null;
}

const byCreator = prepared<{ creatorId: number }, { user_id: number | null }>((db, { creatorId }) =>
  db.selectFrom("creators").select("user_id").where("id", "=", creatorId).compile(),
);

/** Removes the follows between two sets of accounts, each a query of a few ids. */
export async function endFollows(
  tx: Db,
  followers: RawBuilder<number>,
  followed: RawBuilder<number>,
): Promise<void> {
  const { rows } = await sql<{ creator_id: number }>`
    delete from follows where user_id in (${followers})
      and creator_id in (select id from creators where user_id in (${followed}))
    returning creator_id`.execute(tx);
  // In ascending id order, to avoid deadlocks.
  for (const id of rows.map((row) => row.creator_id).toSorted((a, b) => a - b))
    await addToTotal(tx, id, "follower_count", -1);
}

type Counter =
  | "post_count"
  | "view_count"
  | "like_count"
  | "comment_count"
  | "click_count"
  | "follower_count";

/** Adds to one of a creator's totals. */
export async function addToTotal(tx: Db, creatorId: number, counter: Counter, by: number): Promise<void> {
  await totals[counter](tx.later, { creatorId, by });
}

const adding = (counter: Counter) =>
  prepared<{ creatorId: number; by: number }, never>((db, { creatorId, by }) =>
    db
      .updateTable("creators")
      .set((eb) => ({ [counter]: eb(counter, "+", by) }))
      .where("id", "=", creatorId)
      .compile(),
  );

const totals = {
  post_count: adding("post_count"),
  view_count: adding("view_count"),
  like_count: adding("like_count"),
  comment_count: adding("comment_count"),
  click_count: adding("click_count"),
  follower_count: adding("follower_count"),
};

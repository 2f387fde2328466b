import type { OriginPlatform, Platform } from "@tandem/contract/origins";
import { nativePlatform } from "@tandem/contract/origins";
import { type RawBuilder, sql } from "kysely";
import { fold } from "../../storage/fold.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";

const counters = { post_count: 0, view_count: 0, like_count: 0, comment_count: 0, click_count: 0 };

/** Names are the same without regard to case, here and on every origin. */
export function authorKey(author: string): string {
  return author.toLowerCase();
}

/** An account as the author of its posts; it can be found and followed from the start. */
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

/** The creator of that name, if anyone knows of one. */
export async function findCreator(db: Db, platform: Platform, author: string): Promise<number | undefined> {
  const [row] = await byName(db, { platform, key: authorKey(author) });
  return row?.id;
}

const byName = prepared<{ platform: Platform; key: string }, { id: number }>((db, { platform, key }) =>
  db
    .selectFrom("creators")
    .select("id")
    .where("platform", "=", platform)
    .where("author_key", "=", key)
    .compile(),
);

/** The creators of that name on any platform. */
export async function creatorsNamed(db: Db, author: string): Promise<number[]> {
  return (await byNameAnywhere(db, { key: authorKey(author) })).map((row) => row.id);
}

const byNameAnywhere = prepared<{ key: string }, { id: number }>((db, { key }) =>
  db.selectFrom("creators").select("id").where("author_key", "=", key).compile(),
);

/** The author on an origin, made known here if need be. Search finds such a one from its first post on. */
export async function foreignCreator(tx: Db, platform: OriginPlatform, author: string): Promise<number> {
  const known = await findCreator(tx, platform, author);
  if (known !== undefined) return known;
  const values = { platform, author, author_key: authorKey(author), user_id: null, ...counters };
  const { id } = await tx.insertInto("creators").values(values).returning("id").executeTakeFirstOrThrow();
  return id;
}

/** The same for many authors of one origin: their creators, by {@link authorKey}. */
export async function foreignCreators(
  tx: Db,
  platform: OriginPlatform,
  authors: readonly string[],
): Promise<Map<string, number>> {
  const spelt = new Map(authors.map((author) => [authorKey(author), author]));
  const found = await byKeys(tx, platform, [...spelt.keys()]);
  // In one order, so that two who make the same ones known don't wait for each other.
  const unknown = [...spelt].filter(([key]) => !found.has(key)).sort(([a], [b]) => (a < b ? -1 : 1));
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
  return byKeys(tx, platform, [...spelt.keys()]);
}

async function byKeys(tx: Db, platform: OriginPlatform, keys: string[]): Promise<Map<string, number>> {
  const listed = tx.engine.jsonRows(JSON.stringify(keys.map((key) => ({ key }))), { key: "text" });
  const { rows } = await sql<{ id: number; author_key: string }>`
    select id, author_key from creators
    where platform = ${platform} and author_key in (select key from (${listed}) as listed)`.execute(tx);
  return new Map(rows.map((row) => [row.author_key, row.id]));
}

/**
 * Counts a creator's new posts. One of an origin enters the search with the first, and is from then on spelt as the
 * origin spells it: before, a follower may have spelt it in any case.
 */
export async function countPosts(tx: Db, creatorId: number, author: string, posts: number): Promise<void> {
  const [creator] = await addPosts(tx, { creatorId, posts });
  if (creator?.post_count !== posts || creator.user_id !== null) return;
  await tx.updateTable("creators").set({ author }).where("id", "=", creatorId).execute();
  await tx.engine.creatorSearch.put(tx, creatorId, fold(author));
}

interface NewPosts {
  creatorId: number;
  author: string;
  posts: number;
}

/** The same for many creators at once, each named once. */
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

/** Forgets those of these creators who have no posts and were known for that follower's sake alone, who leaves them. */
export async function forgetUnknown(tx: Db, creators: RawBuilder<number>, follower: number): Promise<void> {
  const unknown = sql<number>`
    select id from creators where id in (${creators}) and user_id is null
      and not exists (select 1 from posts where creator_id = creators.id)
      and not exists (select 1 from follows where creator_id = creators.id and user_id <> ${follower})`;
  await tx.engine.creatorSearch.remove(tx, unknown);
  await sql`delete from creators where id in (${unknown})`.execute(tx);
}

interface Counted {
  post_count: number;
  user_id: number | null;
}

const addPosts = prepared<{ creatorId: number; posts: number }, Counted>((db, { creatorId, posts }) =>
  db
    .updateTable("creators")
    .set((eb) => ({ post_count: eb("post_count", "+", posts) }))
    .where("id", "=", creatorId)
    .returning(["post_count", "user_id"])
    .compile(),
);

/** The creator that an account's posts hang on. */
export async function creatorOf(db: Db, userId: number): Promise<number> {
  const [row] = await byUser(db, { userId });
  if (!row) throw new Error(`account ${userId} has no creator`);
  return row.id;
}

const byUser = prepared<{ userId: number }, { id: number }>((db, { userId }) =>
  db.selectFrom("creators").select("id").where("user_id", "=", userId).compile(),
);

/** The account behind a creator; null for one of another platform. */
export async function accountOf(db: Db, creatorId: number): Promise<number | null> {
  const [row] = await byCreator(db, { creatorId });
  return row?.user_id ?? null;
}

const byCreator = prepared<{ creatorId: number }, { user_id: number | null }>((db, { creatorId }) =>
  db.selectFrom("creators").select("user_id").where("id", "=", creatorId).compile(),
);

/** Lets these accounts follow those no more. Both are queries of ids, of few. */
export async function endFollows(
  tx: Db,
  followers: RawBuilder<number>,
  followed: RawBuilder<number>,
): Promise<void> {
  const { rows } = await sql<{ creator_id: number }>`
    delete from follows where user_id in (${followers})
      and creator_id in (select id from creators where user_id in (${followed}))
    returning creator_id`.execute(tx);
  // In one order, so that two who do so don't wait for each other.
  for (const id of rows.map((row) => row.creator_id).toSorted((a, b) => a - b))
    await addToTotal(tx, id, "follower_count", -1);
}

type Counter = "view_count" | "like_count" | "comment_count" | "click_count" | "follower_count";

/** Adds to one of a creator's other totals. */
export async function addToTotal(tx: Db, creatorId: number, counter: Counter, by: number): Promise<void> {
  await totals[counter](tx, { creatorId, by });
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
  view_count: adding("view_count"),
  like_count: adding("like_count"),
  comment_count: adding("comment_count"),
  click_count: adding("click_count"),
  follower_count: adding("follower_count"),
};

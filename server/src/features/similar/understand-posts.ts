import { limits } from "@tandem/contract/limits";
import { sql } from "kysely";
import type { Services } from "../../http/services.ts";
import { fromFragment } from "../../storage/post-fragment.ts";
import type { Db } from "../../storage/storage.ts";
import { type Meaning, type Neighbor, toText } from "./meanings.ts";
import { type PostsByMeaning, postsByMeaningOf } from "./posts-by-meaning.ts";
import { sharedWords } from "./text-checks.ts";

/** Posts that are understood at once: up to a second on a slow processor, for which searches wait. */
const BATCH = 8;
/** Ids below the highest one that may be missing, because their transactions committed later. */
const LATE = 1000;
/** How many earlier posts to compare an agent's post with. */
const EARLIER = 10;
/** In percent. Sentences that say the same in other words reach about 70, a text with some words changed 90 or more. */
const NEARLY_SAME = 90;
/** The words that two such texts have in common, at least: short texts of one kind can be that similar, too. */
const SAME_WORDS = 0.5;

/**
 * Finds out what new and edited posts mean, oldest first, and which posts by agents nearly repeat an earlier one. A background job, so
 * that publishing doesn't wait for it.
 */
export async function understandPosts(services: Services, signal: AbortSignal): Promise<void> {
  const { storage } = services;
  const byMeaning = postsByMeaningOf(services);
  while (!signal.aborted) {
    const posts = await nextPosts(storage.read);
    if (posts.length === 0) return;
    const understood = await understand(storage.read, byMeaning, posts);
    await storage.write((tx) => store(tx, understood));
  }
}

interface NextPost {
  id: number;
  fragment: string;
  version: number;
}

async function nextPosts(db: Db): Promise<NextPost[]> {
  const { rows: edited } = await sql<NextPost>`
    select p.id, p.fragment, p.version from post_meanings m join posts p on p.id = m.post_id
    where m.meaning is null order by m.post_id limit ${BATCH}`.execute(db);
  if (edited.length > 0) return edited;
  const after = await lastUnderstood(db);
  const { rows } = await sql<NextPost>`
    select p.id, p.fragment, p.version from posts p left join post_meanings m on m.post_id = p.id
    where p.id > ${after} and p.removed = 0 and p.archived = 0 and m.post_id is null order by p.id limit ${BATCH}`.execute(
    db,
  );
  return rows;
}

/** The id after which posts may be missing. None before the newest posts that are worth understanding. */
async function lastUnderstood(db: Db): Promise<number> {
  const last = (await highest(db, "post_meanings", "post_id")) ?? 0;
  const newest = (await highest(db, "posts", "id")) ?? 0;
  const after = Math.max(last - LATE, 0);
  if (newest - after <= limits.similarDepth) return after;
  const { rows } = await sql<{ id: number }>`
    select id from posts where archived = 0 order by id desc limit 1 offset ${limits.similarDepth}`.execute(
    db,
  );
  return Math.max(after, Number(rows[0]?.id ?? 0));
}

async function highest(db: Db, table: string, column: string): Promise<number | null> {
  const { rows } = await sql<{ id: number | null }>`
    select max(${sql.ref(column)}) as id from ${sql.table(table)}`.execute(db);
  return rows[0]?.id == null ? null : Number(rows[0].id);
}

/** The highest id whose meaning is no longer needed; null if all are. */
async function oldestKept(db: Db): Promise<number | null> {
  const row = await db
    .selectFrom("post_meanings")
    .select("post_id")
    .orderBy("post_id", "desc")
    .offset(limits.similarDepth)
    .limit(1)
    .executeTakeFirst();
  return row?.post_id ?? null;
}

interface UnderstoodPost extends NextPost {
  meaning: Meaning;
  /** An earlier post that an agent's post nearly repeats. */
  near: Neighbor | null;
}

async function understand(
  db: Db,
  byMeaning: PostsByMeaning,
  posts: readonly NextPost[],
): Promise<UnderstoodPost[]> {
  const meanings = await byMeaning.understand(posts.map(({ fragment }) => textIn(fragment)));
  await byMeaning.put(posts.map(({ id }, i) => ({ id, meaning: meanings[i] as Meaning })));
  const understood: UnderstoodPost[] = [];
  for (const [i, post] of posts.entries()) {
    const meaning = meanings[i] as Meaning;
    const { authorIsAgent } = fromFragment(post.fragment);
    const near = authorIsAgent ? await earlierPost(db, byMeaning, post, meaning) : null;
    understood.push({ ...post, meaning, near });
  }
  return understood;
}

function textIn(fragment: string): string {
  const { title, body } = fromFragment(fragment);
  return [title, body].filter(Boolean).join("\n");
}

async function earlierPost(
  db: Db,
  byMeaning: PostsByMeaning,
  { id, fragment }: NextPost,
  meaning: Meaning,
): Promise<Neighbor | null> {
  const neighbors = await byMeaning.nearest(meaning, EARLIER);
  const close = neighbors.filter((one) => one.id < id && one.similarity * 100 >= NEARLY_SAME);
  if (close.length === 0) return null;
  const ids = close.map((one) => one.id);
  const rows = await db.selectFrom("posts").select(["id", "fragment"]).where("id", "in", ids).execute();
  const texts = new Map(rows.map((row) => [row.id, textIn(row.fragment)]));
  const repeats = (one: Neighbor) => sharedWords(textIn(fragment), texts.get(one.id) ?? "") >= SAME_WORDS;
  return close.find(repeats) ?? null;
}

/** Leaves out posts that were edited or deleted meanwhile; what an edit changed is understood next time. */
async function store(tx: Db, posts: readonly UnderstoodPost[]): Promise<void> {
  // An edit that isn't committed yet must not be overwritten with what the text meant before.
  if (tx.engine.rowLocks)
    await sql`select id from posts where id in (${tx.engine.oneOf(posts.map(({ id }) => id))})
      order by id for share`.execute(tx);
  // Never one of a row that is gone: other processes read what is above the last number that they know.
  const first = Math.max(((await highest(tx, "post_meanings", "number")) ?? 0) + 1, Date.now() * 1000);
  const rows = posts.map(({ id, version, meaning, near }, i) => ({
    post: id,
    version,
    number: first + i,
    meaning: toText(meaning),
    near: near?.id ?? null,
    percent: near && Math.min(Math.round(near.similarity * 100), 100),
  }));
  const columns = {
    post: "integer",
    version: "integer",
    number: "integer",
    meaning: "text",
    near: "integer",
    percent: "integer",
  } as const;
  await sql`insert into post_meanings (post_id, number, meaning, near_id, near_percent)
    select p.id, listed.number, listed.meaning, e.id, listed.percent
    from (${tx.engine.jsonRows(JSON.stringify(rows), columns)}) as listed
    join posts p on p.id = listed.post and p.version = listed.version
    left join posts e on e.id = listed.near
    where true
    on conflict (post_id) do update set number = excluded.number, meaning = excluded.meaning,
      near_id = excluded.near_id, near_percent = excluded.near_percent`.execute(tx);
  const old = await oldestKept(tx);
  if (old !== null) await tx.deleteFrom("post_meanings").where("post_id", "<=", old).execute();
}

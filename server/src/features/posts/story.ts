import { limits } from "@tandem/contract/limits";
import { sql } from "kysely";
import { notFound } from "../../http/api-error.ts";
import { type Handlers, JsonText } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { isMutedPost, mutesOf } from "../shared/mutes.ts";
import { completePosts } from "./complete-posts.ts";
import { postJson } from "./posts.queries.ts";

/*
 * Imported posts of the same link form one story. The first post imported is its head: `story_count` counts all its
 * posts, and unfiltered feeds show it. Posts of the story from other sources are duplicates (`story_rest` = 1), which
 * unfiltered feeds leave out. Posts from the head's own source aren't duplicates: the episodes of a series may all link
 * to the page of the series.
 */

export const story = {
  async listStory(ctx, { id }) {
    const others = sql`
      select id from posts where story = (select story from posts where id = ${id}) and id <> ${id}
      order by id limit ${limits.page.max - 1}`;
    const { rows } = await sql<{ id: number; json: string }>`
      select p.id, ${postJson(ctx.caller?.userId ?? null)} as json from posts p
      where p.removed = 0
        and p.id in (select cast(${id} as bigint) union all select id from (${others}) as others)
      order by p.id`.execute(ctx.read);
    if (rows.length === 0) throw notFound("post");
    const mutes = await mutesOf(ctx.read, ctx.caller, ctx.now);
    const shown = mutes
      ? rows.filter((row) => row.id === id || !isMutedPost(mutes, JSON.parse(row.json)))
      : rows;
    const texts = shown.map(({ json }) => json);
    return new JsonText(`{"posts":[${(await completePosts(ctx.read, texts, ctx)).join()}]}`);
  },
} satisfies Handlers<"listStory">;

/** A post's story, as columns of its row. */
export interface StoryColumns {
  story: string | null;
  story_rest: number;
  story_count: number;
}

/**
 * Adds new posts of a source to the stories with these names (null: no story). Locks the stories until the transaction
 * ends, counts the posts at the stories' heads, and returns the story columns of each post.
 */
export async function joinStories(
  tx: Db,
  sourceId: number,
  stories: readonly (string | null)[],
): Promise<StoryColumns[]> {
  await tx.engine.lock(tx, distinctNames(stories));
  const heads = await headsOf(tx, stories);
  const started = new Map<string, StoryColumns>();
  const columns = stories.map((name): StoryColumns => {
    const post = { story: name, story_rest: 0, story_count: 1 };
    const head = name === null ? undefined : heads.get(name);
    if (head) {
      head.joined += 1;
      return { ...post, story_rest: head.source_id === sourceId ? 0 : 1 };
    }
    const newHead = name === null ? undefined : started.get(name);
    if (newHead) newHead.story_count += 1;
    else if (name !== null) started.set(name, post);
    return post;
  });
  await countJoined(tx, [...heads.values()]);
  return columns;
}

interface StoryHead {
  id: number;
  source_id: number | null;
  /** How many new posts join the story. */
  joined: number;
}

async function headsOf(tx: Db, stories: readonly (string | null)[]): Promise<Map<string, StoryHead>> {
  const { rows } = await sql<{ name: string; id: number; source_id: number | null }>`
    select listed.name, p.id, p.source_id from (${nameRows(tx, stories)}) as listed
    join posts p on p.id = (select id from posts where story = listed.name order by id limit 1)`.execute(tx);
  return new Map(rows.map(({ name, id, source_id }) => [name, { id, source_id, joined: 0 }]));
}

async function countJoined(tx: Db, heads: StoryHead[]): Promise<void> {
  if (heads.length === 0) return;
  const rows = heads.map(({ id, joined }) => ({ post: id, joined }));
  const listed = tx.engine.jsonRows(JSON.stringify(rows), { post: "integer", joined: "integer" });
  await sql`update posts set story_count = story_count + listed.joined
    from (${listed}) as listed where posts.id = listed.post`.execute(tx);
}

/** An existing post and its new story. */
interface StoryChange {
  id: number;
  story: string | null;
}

/** The stories that these posts leave and join. Ignores posts whose story stays the same. */
export async function storiesChangedBy(tx: Db, posts: readonly StoryChange[]): Promise<(string | null)[]> {
  const { rows } = await sql<{ left: string | null; story: string | null }>`
    select p.story as "left", listed.story as story from (${changeRows(tx, posts)}) as listed
    join posts p on p.id = listed.post where p.story is distinct from listed.story`.execute(tx);
  return rows.flatMap(({ left, story }) => [left, story]);
}

function changeRows(tx: Db, posts: readonly StoryChange[]) {
  const rows = posts.map(({ id, story }) => ({ post: id, story }));
  return tx.engine.jsonRows(JSON.stringify(rows), { post: "integer", story: "text" });
}

/** Moves existing posts to other stories. */
export async function regroup(tx: Db, posts: readonly StoryChange[]): Promise<void> {
  const stories = await storiesChangedBy(tx, posts);
  await tx.engine.lock(tx, distinctNames(stories));
  await sql`update posts set story = listed.story, story_rest = 0, story_count = 1
    from (${changeRows(tx, posts)}) as listed
    where posts.id = listed.post and posts.story is distinct from listed.story`.execute(tx);
  await recount(tx, stories);
}

/**
 * Recounts the stories that are about to lose these posts: the first remaining post becomes the head. Locks the stories
 * until the transaction ends, so that no new post becomes a duplicate of a deleted one.
 */
export async function promoteNext(tx: Db, ids: ReturnType<typeof sql<number>>): Promise<void> {
  const stories = await storiesOf(tx, ids);
  if (stories.length === 0) return;
  await tx.engine.lock(tx, stories);
  await recount(tx, stories, sql`and s.id not in (${ids})`);
}

/** The stories that these posts belong to. */
export async function storiesOf(tx: Db, ids: ReturnType<typeof sql<number>>): Promise<string[]> {
  const { rows } = await sql<{ story: string }>`
    select distinct story from posts where id in (${ids}) and story is not null`.execute(tx);
  return rows.map(({ story }) => story);
}

/** Makes each story's first post its head, with the total count, and marks posts from other sources as duplicates. */
async function recount(tx: Db, stories: readonly (string | null)[], excluded = sql``): Promise<void> {
  await sql`
    update posts set story_rest = counted.is_duplicate, story_count = counted.posts
    from (
      select id, case when place = 1 or source_id = first_source then 0 else 1 end as is_duplicate,
        case when place = 1 then total else 1 end as posts
      from (
        select s.id, s.source_id, row_number() over story_order as place, count(*) over (partition by s.story) as total,
          first_value(s.source_id) over story_order as first_source
        from posts s where s.story in (select name from (${nameRows(tx, stories)}) as listed) ${excluded}
        window story_order as (partition by s.story order by s.id)
      ) as placed
    ) as counted
    where posts.id = counted.id and (posts.story_rest <> counted.is_duplicate or posts.story_count <> counted.posts)`.execute(
    tx,
  );
}

/** The names without repetition and without null. */
export function distinctNames(stories: readonly (string | null)[]): string[] {
  return [...new Set(stories)].filter((name) => name !== null);
}

/** The distinct names, as rows to join. */
export function nameRows(tx: Db, stories: readonly (string | null)[]) {
  const names = distinctNames(stories).map((name) => ({ name }));
  return tx.engine.jsonRows(JSON.stringify(names), { name: "text" });
}

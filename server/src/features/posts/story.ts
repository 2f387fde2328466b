import { limits } from "@tandem/contract/limits";
import { sql } from "kysely";
import { type Handlers, JsonText } from "../../http/context.ts";
import { notFound } from "../../http/problem.ts";
import type { Db } from "../../storage/storage.ts";
import { postJson } from "./posts.queries.ts";

/*
 * Posts that were gathered of one link are one story. The one that came first is shown where feeds aren't narrowed down
 * to where posts are from, and counts them all; the others rest.
 */

export const story = {
  async listStory(ctx, { id }) {
    const same = sql`(p.id = ${id} and p.removed = 0) or p.story = (select story from posts where id = ${id})`;
    const { rows } = await sql<{ json: string }>`
      select ${postJson(ctx.caller?.userId ?? null)} as json from posts p where ${same}
      order by p.id limit ${limits.page.max}`.execute(ctx.read);
    if (rows.length === 0) throw notFound("post");
    return new JsonText(`{"posts":[${rows.map(({ json }) => json).join()}]}`);
  },
} satisfies Handlers<"listStory">;

/** A post's part in its story, as columns of its row. */
export interface Part {
  story: string | null;
  story_rest: number;
}

/** What part new posts have in the stories of these names, nobody else's until the transaction ends; null names no story. */
export async function partsOf(tx: Db, stories: readonly (string | null)[]): Promise<Part[]> {
  await tx.engine.await(tx, namesOf(stories));
  const told = await toldAlready(tx, stories);
  return stories.map((name) => {
    const rests = name !== null && told.has(name);
    if (name !== null) told.add(name);
    return { story: name, story_rest: rests ? 1 : 0 };
  });
}

async function toldAlready(tx: Db, stories: readonly (string | null)[]): Promise<Set<string>> {
  const { rows } = await sql<{ story: string }>`
    select distinct story from posts where story in (select name from (${named(tx, stories)}) as listed)`.execute(
    tx,
  );
  return new Set(rows.map((row) => row.story));
}

/** Counts these stories anew. */
export async function countStories(tx: Db, stories: readonly (string | null)[]): Promise<void> {
  await recount(tx, stories);
}

/** Has posts that are there tell other stories than they did. */
export async function retell(tx: Db, posts: readonly { id: number; story: string | null }[]): Promise<void> {
  const left = await storiesOf(tx, sql<number>`${tx.engine.oneOf(posts.map(({ id }) => id))}`);
  const stories = [...left, ...posts.map(({ story }) => story)];
  await tx.engine.await(tx, namesOf(stories));
  const rows = posts.map(({ id, story }) => ({ post: id, told: story }));
  const listed = tx.engine.rows(JSON.stringify(rows), { post: "integer", told: "text" });
  await sql`update posts set story = listed.told, story_rest = 0, story_count = 1
    from (${listed}) as listed where posts.id = listed.post`.execute(tx);
  await countStories(tx, stories);
}

/**
 * Of stories that lose these posts the first of those that stay is shown from now on. They are nobody else's until the
 * transaction ends: what came to one meanwhile would rest behind a post that is gone.
 */
export async function passOn(tx: Db, ids: ReturnType<typeof sql<number>>): Promise<void> {
  const stories = await storiesOf(tx, ids);
  if (stories.length === 0) return;
  await tx.engine.await(tx, stories);
  await recount(tx, stories, sql`and s.id not in (${ids})`);
}

async function storiesOf(tx: Db, ids: ReturnType<typeof sql<number>>): Promise<string[]> {
  const { rows } = await sql<{ story: string }>`
    select distinct story from posts where id in (${ids}) and story is not null`.execute(tx);
  return rows.map(({ story }) => story);
}

/** The first of each is shown and counts all; the others rest. */
async function recount(tx: Db, stories: readonly (string | null)[], but = sql``): Promise<void> {
  await sql`
    update posts set story_rest = told.rest, story_count = told.posts
    from (
      select s.id, case when row_number() over (partition by s.story order by s.id) = 1 then 0 else 1 end as rest,
        case when row_number() over (partition by s.story order by s.id) = 1
          then count(*) over (partition by s.story) else 1 end as posts
      from posts s where s.story in (select name from (${named(tx, stories)}) as listed) ${but}
    ) as told
    where posts.id = told.id and (posts.story_rest <> told.rest or posts.story_count <> told.posts)`.execute(
    tx,
  );
}

function namesOf(stories: readonly (string | null)[]): string[] {
  return [...new Set(stories)].filter((name) => name !== null);
}

function named(tx: Db, stories: readonly (string | null)[]) {
  const names = namesOf(stories).map((name) => ({ name }));
  return tx.engine.rows(JSON.stringify(names), { name: "text" });
}

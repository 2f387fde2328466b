import { limits } from "@tandem/contract/limits";
import { sql } from "kysely";
import { notFound } from "../../http/api-error.ts";
import { type Handlers, JsonText } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { postJson } from "./posts.queries.ts";

/*
 * Posts that were gathered of one link are one story. The one that came first is shown where feeds aren't narrowed down
 * to where posts are from, and counts them all; those of other sources rest. What one source shows apart stays apart: the
 * episodes of a series may all link to the page of the series.
 */

export const story = {
  async listStory(ctx, { id }) {
    const others = sql`
      select id from posts where story = (select story from posts where id = ${id}) and id <> ${id}
      order by id limit ${limits.page.max - 1}`;
    const { rows } = await sql<{ json: string }>`
      select ${postJson(ctx.caller?.userId ?? null)} as json from posts p
      where p.removed = 0
        and p.id in (select cast(${id} as bigint) union all select id from (${others}) as others)
      order by p.id`.execute(ctx.read);
    if (rows.length === 0) throw notFound("post");
    return new JsonText(`{"posts":[${rows.map(({ json }) => json).join()}]}`);
  },
} satisfies Handlers<"listStory">;

/** A post's part in its story, as columns of its row. */
export interface Part {
  story: string | null;
  story_rest: number;
  story_count: number;
}

/**
 * What part new posts of a source have in the stories of these names, nobody else's until the transaction ends; null names no
 * story. Whoever was first counts them from now on.
 */
export async function partsOf(
  tx: Db,
  sourceId: number,
  stories: readonly (string | null)[],
): Promise<Part[]> {
  await tx.engine.lock(tx, namesOf(stories));
  const firsts = await firstsOf(tx, stories);
  const begun = new Map<string, Part>();
  const parts = stories.map((name): Part => {
    const part = { story: name, story_rest: 0, story_count: 1 };
    const first = name === null ? undefined : firsts.get(name);
    if (first) {
      first.more += 1;
      return { ...part, story_rest: first.source_id === sourceId ? 0 : 1 };
    }
    const head = name === null ? undefined : begun.get(name);
    if (head) head.story_count += 1;
    else if (name !== null) begun.set(name, part);
    return part;
  });
  await countMore(tx, [...firsts.values()]);
  return parts;
}

interface First {
  id: number;
  source_id: number | null;
  more: number;
}

async function firstsOf(tx: Db, stories: readonly (string | null)[]): Promise<Map<string, First>> {
  const { rows } = await sql<{ name: string; id: number; source_id: number | null }>`
    select listed.name, p.id, p.source_id from (${named(tx, stories)}) as listed
    join posts p on p.id = (select id from posts where story = listed.name order by id limit 1)`.execute(tx);
  return new Map(rows.map(({ name, id, source_id }) => [name, { id, source_id, more: 0 }]));
}

async function countMore(tx: Db, firsts: First[]): Promise<void> {
  if (firsts.length === 0) return;
  const rows = firsts.map(({ id, more }) => ({ post: id, more }));
  const listed = tx.engine.jsonRows(JSON.stringify(rows), { post: "integer", more: "integer" });
  await sql`update posts set story_count = story_count + listed.more
    from (${listed}) as listed where posts.id = listed.post`.execute(tx);
}

/** A post that is there already, and the story that it tells from now on. */
interface Regrouped {
  id: number;
  story: string | null;
}

/** The stories that these posts leave, and those that they come to; of those that stay where they are, none. */
export async function storiesBetween(tx: Db, posts: readonly Regrouped[]): Promise<(string | null)[]> {
  const { rows } = await sql<{ left: string | null; story: string | null }>`
    select p.story as "left", listed.told as story from (${retold(tx, posts)}) as listed
    join posts p on p.id = listed.post where p.story is distinct from listed.told`.execute(tx);
  return rows.flatMap(({ left, story }) => [left, story]);
}

function retold(tx: Db, posts: readonly Regrouped[]) {
  const rows = posts.map(({ id, story }) => ({ post: id, told: story }));
  return tx.engine.jsonRows(JSON.stringify(rows), { post: "integer", told: "text" });
}

/** Has posts that are there tell other stories than they did. */
export async function regroup(tx: Db, posts: readonly Regrouped[]): Promise<void> {
  const stories = await storiesBetween(tx, posts);
  await tx.engine.lock(tx, namesOf(stories));
  await sql`update posts set story = listed.told, story_rest = 0, story_count = 1
    from (${retold(tx, posts)}) as listed
    where posts.id = listed.post and posts.story is distinct from listed.told`.execute(tx);
  await recount(tx, stories);
}

/**
 * Of stories that lose these posts the first of those that stay is shown from now on. They are nobody else's until the
 * transaction ends: what came to one meanwhile would rest behind a post that is gone.
 */
export async function promoteNext(tx: Db, ids: ReturnType<typeof sql<number>>): Promise<void> {
  const stories = await storiesOf(tx, ids);
  if (stories.length === 0) return;
  await tx.engine.lock(tx, stories);
  await recount(tx, stories, sql`and s.id not in (${ids})`);
}

/** The stories that these posts tell. */
export async function storiesOf(tx: Db, ids: ReturnType<typeof sql<number>>): Promise<string[]> {
  const { rows } = await sql<{ story: string }>`
    select distinct story from posts where id in (${ids}) and story is not null`.execute(tx);
  return rows.map(({ story }) => story);
}

/** The first of each is shown and counts all; those of other sources rest. */
async function recount(tx: Db, stories: readonly (string | null)[], but = sql``): Promise<void> {
  await sql`
    update posts set story_rest = told.rest, story_count = told.posts
    from (
      select id, case when place = 1 or source_id = first_source then 0 else 1 end as rest,
        case when place = 1 then total else 1 end as posts
      from (
        select s.id, s.source_id, row_number() over told_by as place, count(*) over (partition by s.story) as total,
          first_value(s.source_id) over told_by as first_source
        from posts s where s.story in (select name from (${named(tx, stories)}) as listed) ${but}
        window told_by as (partition by s.story order by s.id)
      ) as placed
    ) as told
    where posts.id = told.id and (posts.story_rest <> told.rest or posts.story_count <> told.posts)`.execute(
    tx,
  );
}

/** Each name once. */
export function namesOf(stories: readonly (string | null)[]): string[] {
  return [...new Set(stories)].filter((name) => name !== null);
}

/** Each name once, as rows to join. */
export function named(tx: Db, stories: readonly (string | null)[]) {
  const names = namesOf(stories).map((name) => ({ name }));
  return tx.engine.jsonRows(JSON.stringify(names), { name: "text" });
}

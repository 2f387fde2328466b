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
    const same = sql`p.id = ${id} or p.story = (select story from posts where id = ${id})`;
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
  await tx.engine.await(
    tx,
    stories.filter((name) => name !== null),
  );
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
  await recount(tx, sql`select name from (${named(tx, stories)}) as listed`);
}

/** Of stories that lose these posts the first of those that stay is shown from now on. */
export async function passOn(tx: Db, ids: ReturnType<typeof sql<number>>): Promise<void> {
  await recount(
    tx,
    sql`select story from posts where id in (${ids}) and story is not null`,
    sql`and s.id not in (${ids})`,
  );
}

async function recount(tx: Db, stories: ReturnType<typeof sql>, but = sql``): Promise<void> {
  await sql`
    update posts set story_rest = 0, story_count = counted.posts
    from (
      select min(s.id) as first, count(*) as posts from posts s where s.story in (${stories}) ${but} group by s.story
    ) as counted
    where posts.id = counted.first and (posts.story_rest = 1 or posts.story_count <> counted.posts)`.execute(
    tx,
  );
}

function named(tx: Db, stories: readonly (string | null)[]) {
  const names = [...new Set(stories)].flatMap((name) => (name === null ? [] : [{ name }]));
  return tx.engine.rows(JSON.stringify(names), { name: "text" });
}

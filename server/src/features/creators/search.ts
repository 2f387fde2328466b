import { setImmediate as nextTurn } from "node:timers/promises";
import { limits } from "@tandem/contract/limits";
import type { CreatorHit } from "@tandem/contract/resources";
import { MAX_ID } from "@tandem/contract/schema";
import { sql } from "kysely";
import type { Handlers } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { termsOf } from "../shared/terms.ts";

/** Up to so many finds are sorted; where there are more, a walk in the order of post counts meets them soon. */
const SORTABLE = 5000;
/** The most that is looked at in one go: nothing else runs meanwhile. */
const STRETCH = 10_000;

type Ids = ReturnType<typeof sql<{ id: number }>>;

export const creatorSearch = {
  searchCreators: async (ctx, { q }) => ({ creators: await search(await ctx.recent(), termsOf(q)) }),
} satisfies Handlers<"searchCreators">;

async function search(db: Db, terms: string[]): Promise<CreatorHit[]> {
  const candidates = await db.engine.creatorSearch.candidates(db, terms, MAX_ID);
  if (candidates) {
    const ids = sql<{ id: number }>`select id from ${candidates} as found limit ${SORTABLE + 1}`;
    const found = (await ids.execute(db)).rows.map((row) => row.id);
    if (found.length <= SORTABLE) return best(db, db.engine.oneOf(found), terms, limits.creatorHits);
  }
  const hits: CreatorHit[] = [];
  for (let looked = 0; looked < limits.searchDepth; looked += STRETCH) {
    const stretch = sql<{ id: number }>`
      select id from creators order by post_count desc, id desc limit ${STRETCH} offset ${looked}`;
    hits.push(...(await best(db, stretch, terms, limits.creatorHits - hits.length)));
    if (hits.length === limits.creatorHits || !(await more(db, looked + STRETCH))) break;
    await nextTurn();
  }
  return hits;
}

async function best(db: Db, ids: Ids, terms: string[], limit: number): Promise<CreatorHit[]> {
  const { rows } = await sql<CreatorHit>`
    select c.platform, c.author, c.post_count as "postCount" from (${ids}) as among cross join creators c
    where c.id = among.id and ${db.engine.creatorSearch.holds(sql`c.id`, terms)}
    order by c.post_count desc, c.id desc limit ${limit}
  `.execute(db);
  return rows;
}

async function more(db: Db, past: number): Promise<boolean> {
  const next = sql`select id from creators order by post_count desc, id desc limit 1 offset ${past}`;
  return (await next.execute(db)).rows.length > 0;
}

import { limits } from "@tandem/contract/limits";
import type { CreatorHit } from "@tandem/contract/resources";
import { MAX_ID } from "@tandem/contract/schema";
import { sql } from "kysely";
import type { Handlers } from "../../http/context.ts";
import { searchTerms } from "../../storage/fold.ts";
import type { Db } from "../../storage/storage.ts";

/** Up to so many finds are sorted; where there are more, a walk in the order of post counts meets them soon. */
const SORTABLE = 5000;

export const creatorSearch = {
  searchCreators: async (ctx, { q }) => ({ creators: await search(ctx.read, searchTerms(q)) }),
} satisfies Handlers<"searchCreators">;

async function search(db: Db, terms: string[]): Promise<CreatorHit[]> {
  const { creatorSearch } = db.engine;
  const holds = creatorSearch.holds(sql`c.id`, terms);
  const found = await creatorSearch.candidates(db, terms, MAX_ID);
  const few = found
    ? await sql<{ id: number }>`select id from ${found} as found limit ${SORTABLE + 1}`.execute(db)
    : null;
  const narrowed = few && few.rows.length <= SORTABLE;
  if (narrowed && few.rows.length === 0) return [];
  const among = narrowed ? sql`c.id in (${sql.join(few.rows.map((row) => row.id))}) and ` : sql``;
  const { rows } = await sql<CreatorHit>`
    select c.platform, c.author, c.post_count as "postCount" from creators c
    where ${among} ${holds} order by c.post_count desc, c.id desc limit ${limits.creatorHits}
  `.execute(db);
  return rows;
}

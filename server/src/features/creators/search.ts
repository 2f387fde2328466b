import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { limits } from "@tandem/contract/limits";
import type { CreatorHit } from "@tandem/contract/resources";
import { MAX_ID } from "@tandem/contract/schema";
import { type RawBuilder, sql } from "kysely";
import type { Handlers } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { termsOf } from "../shared/terms.ts";
import { type OperatorColumns, operatorColumns, operatorOf } from "./operator.ts";

/** Up to this many matches are sorted. If there are more, a scan by descending post count soon finds enough of them. */
const MAX_SORTED = 5000;
/** Rows that one query of that scan reads, since nothing else runs meanwhile. */
const SCAN_ROWS = 10_000;

export const creatorSearch = {
  searchCreators: async (ctx, { q }) => ({
    creators: await search(await ctx.recent(), termsOf(q).map(withoutAt)),
  }),
} satisfies Handlers<"searchCreators">;

/** Names are often written with an @ in front, which none has. */
const withoutAt = (term: string): string => term.replace(/^@(?=.)/, "");

/** Creators whose name contains every term, those with most posts first. */
export async function search(
  db: Db,
  terms: string[],
  limit: number = limits.creatorHits,
): Promise<CreatorHit[]> {
  const candidates = await db.engine.creatorSearch.candidates(db, terms, MAX_ID);
  if (candidates) {
    const ids = sql<{ id: number }>`select id from ${candidates} as found limit ${MAX_SORTED + 1}`;
    const found = (await ids.execute(db)).rows.map((row) => row.id);
    if (found.length <= MAX_SORTED) {
      // "cross join", because SQLite could otherwise read all creators and look each up among the ids.
      const named = sql`select c.* from (${db.engine.oneOf(found)}) as named cross join creators c where c.id = named.id`;
      return best(db, named, terms, limit);
    }
  }
  const hits: CreatorHit[] = [];
  for (let offset = 0; offset < limits.searchDepth; offset += SCAN_ROWS) {
    const scanned = sql`select * from creators order by post_count desc, id desc limit ${SCAN_ROWS} offset ${offset}`;
    hits.push(...(await best(db, scanned, terms, limit - hits.length)));
    if (hits.length === limit || !(await hasMore(db, offset + SCAN_ROWS))) break;
    await yieldToEventLoop();
  }
  return hits;
}

/** Of these rows of `creators`, those whose name contains every term. */
async function best(
  db: Db,
  creators: RawBuilder<unknown>,
  terms: string[],
  limit: number,
): Promise<CreatorHit[]> {
  const { rows } = await sql<Omit<CreatorHit, "operator"> & OperatorColumns>`
    select found.*, u.display_name as "displayName", u.avatar_url as "avatarUrl", ${sql.join(operatorColumns)} from (
      select c.platform, c.author, c.post_count as "postCount", c.user_id, c.id
      from (${creators}) as c where ${db.engine.creatorSearch.holds(sql`c.id`, terms)}
      order by c.post_count desc, c.id desc limit ${limit}
    ) as found left join users u on u.id = found.user_id left join users o on o.id = u.operator_id
    order by "postCount" desc, found.id desc
  `.execute(db);
  return rows.map((row) => {
    const { platform, author, displayName, avatarUrl, postCount } = row;
    return { platform, author, displayName, avatarUrl, operator: operatorOf(row), postCount };
  });
}

async function hasMore(db: Db, offset: number): Promise<boolean> {
  const next = sql`select id from creators order by post_count desc, id desc limit 1 offset ${offset}`;
  return (await next.execute(db)).rows.length > 0;
}

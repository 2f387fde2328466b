import { sql } from "kysely";
import type { Db } from "../../storage/storage.ts";
import { type FeedPage, partsOf } from "./feed.queries.ts";
import type { Selection } from "./feed-query.ts";

/** Posts whose creator the caller doesn't follow say which followed hashtag they have. */
export async function withTags<Page extends FeedPage>(db: Db, page: Page, s: Selection): Promise<Page> {
  if (page.ids.length === 0) return page;
  const { rows } = await sql<{ post_id: number; name: string }>`
    select t.post_id, min(f.name) as name from post_tags t join tag_follows f on f.tag = t.tag
    where t.post_id in (${db.engine.oneOf(page.ids)}) and f.user_id = ${s.caller}
    group by t.post_id`.execute(db);
  if (rows.length === 0) return page;
  const names = new Map(rows.map(({ post_id, name }) => [post_id, name]));
  const parts = partsOf(page).map((json, i) => {
    const name = names.get(page.ids[i] ?? 0);
    const isByTag = name !== undefined && json.includes(NOT_FOLLOWED);
    return isByTag ? `${json.slice(0, -1)},"followedTag":${JSON.stringify(name)}}` : json;
  });
  return { ...page, posts: parts };
}

/** Texts in JSON can't contain this, because their quotes are escaped. */
const NOT_FOLLOWED = `"followedCreator":false`;

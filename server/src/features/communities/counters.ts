import { nativePlatform } from "@tandem/contract/origins";
import { type RawBuilder, sql } from "kysely";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";

/** Counts a new post, which makes its community active. */
export async function countNewPost(tx: Db, communityId: number, now: number): Promise<void> {
  await addPost(tx.later, { communityId, now });
}

const addPost = prepared<{ communityId: number; now: number }, never>((db, { communityId, now }) =>
  db
    .updateTable("communities")
    .set((eb) => ({ post_count: eb("post_count", "+", 1), active_at: now }))
    .where("id", "=", communityId)
    .compile(),
);

/** Adds visible posts to the counts of their communities, or subtracts them. `ids` is an id or a query of ids. */
export async function countPosts(tx: Db, ids: RawBuilder<number>, sign: 1 | -1): Promise<void> {
  await sql`
    update communities set post_count = post_count + ${sql.lit(sign)} * totals.posts
    from (
      select community_key, count(*) as posts from posts
      where id in (${ids}) and platform = ${sql.lit(nativePlatform)} and community_key is not null
      group by community_key
    ) as totals
    where communities.name = totals.community_key`.execute(tx);
}

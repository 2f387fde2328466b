import { type RawBuilder, sql } from "kysely";
import { REMOVED_CREATOR } from "../../storage/removed.ts";
import type { Db } from "../../storage/storage.ts";
import { hotRankSql, rankedLikes } from "./hot.ts";

export interface CounterDecrement {
  post_id: number;
  likes: number;
  ai_likes: number;
  comments: number;
}

/** Subtracts likes and comments from many posts and from their creators' totals. `decrements` has one row per post. */
export async function decrementCounters(tx: Db, decrements: RawBuilder<CounterDecrement>): Promise<void> {
  const rank = hotRankSql({
    score: sql`(posts.origin_score + ${rankedLikes({
      likes: sql`(posts.like_count - delta.likes)`,
      aiLikes: sql`(posts.ai_like_count - delta.ai_likes)`,
    })})`,
    comments: sql`posts.comment_count - delta.comments`,
    postedAt: sql`posts.posted_at`,
  });
  // Lock order: posts before creators, as in every write.
  await sql`
    update posts set like_count = like_count - delta.likes,
      ai_like_count = ai_like_count - delta.ai_likes, comment_count = comment_count - delta.comments,
      hot_rank = case when posts.removed = 1 or posts.archived = 1 then posts.hot_rank else ${rank} end
    from (${decrements}) as delta where posts.id = delta.post_id
  `.execute(tx);
  await sql`
    update creators set like_count = like_count - delta.likes, comment_count = comment_count - delta.comments
    from (
      select p.creator_id, sum(l.likes) as likes, sum(l.comments) as comments
      from (${decrements}) as l join posts p on p.id = l.post_id group by p.creator_id
    ) as delta
    where creators.id = delta.creator_id and creators.id <> ${sql.lit(REMOVED_CREATOR)}
  `.execute(tx);
}

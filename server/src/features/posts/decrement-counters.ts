import { type RawBuilder, sql } from "kysely";
import { REMOVED_CREATOR } from "../../storage/removed.ts";
import type { Db } from "../../storage/storage.ts";
import { hotRankSql, rankedLikes } from "./hot.ts";

export interface Loss {
  post_id: number;
  likes: number;
  ai_likes: number;
  comments: number;
}

/** Takes likes and comments off many posts at once, and off their creators' totals. `losses` has a row for each post. */
export async function loseInterest(tx: Db, losses: RawBuilder<Loss>): Promise<void> {
  const rank = hotRankSql({
    score: sql`(posts.origin_score + ${rankedLikes({
      likes: sql`(posts.like_count - lost.likes)`,
      aiLikes: sql`(posts.ai_like_count - lost.ai_likes)`,
    })})`,
    comments: sql`posts.comment_count - lost.comments`,
    postedAt: sql`posts.posted_at`,
  });
  // Posts before creators, as every write takes them.
  await sql`
    update posts set like_count = like_count - lost.likes,
      ai_like_count = ai_like_count - lost.ai_likes, comment_count = comment_count - lost.comments,
      hot_rank = case when posts.removed = 1 then posts.hot_rank else ${rank} end
    from (${losses}) as lost where posts.id = lost.post_id
  `.execute(tx);
  await sql`
    update creators set like_count = like_count - lost.likes, comment_count = comment_count - lost.comments
    from (
      select p.creator_id, sum(l.likes) as likes, sum(l.comments) as comments
      from (${losses}) as l join posts p on p.id = l.post_id group by p.creator_id
    ) as lost
    where creators.id = lost.creator_id and creators.id <> ${sql.lit(REMOVED_CREATOR)}
  `.execute(tx);
}

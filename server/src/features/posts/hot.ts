import { type RawBuilder, sql } from "kysely";

/** This many seconds of age weigh as much as ten times the votes. */
const DECADE_SECONDS = 45_000;
/** A comment tells of more interest than a like does. */
const COMMENT_WEIGHT = 2;

export interface Interest {
  score: number;
  comments: number;
  /** Milliseconds since 1970. */
  postedAt: number;
}

/**
 * How hot a post is: the logarithm of its interest, plus its time. It depends on nothing that passes, so it is
 * computed when the interest changes and never when it is read (decisions: sort=hot).
 */
export function hotRank({ score, comments, postedAt }: Interest): number {
  const interest = Math.max(score + COMMENT_WEIGHT * comments, 1);
  return Math.log10(interest) + postedAt / 1000 / DECADE_SECONDS;
}

/**
 * The likes that count for a rank, in SQL: all, or but people's, as the operator chose (`HOT_LIKES`). What was chosen is
 * in the database, so that all who reckon ranks at a time reckon alike.
 */
export function rankedLikes({
  likes,
  aiLikes,
}: Record<"likes" | "aiLikes", RawBuilder<number>>): RawBuilder<number> {
  return sql<number>`(${likes} - case when ${aiLikesCount} = 1 then 0 else ${aiLikes} end)`;
}

/** The same of a post that was read. */
export function rankedScore(post: {
  origin_score: number;
  like_count: number;
  ai_like_count: number;
  ai_ranked: number;
}): number {
  return post.origin_score + post.like_count - (post.ai_ranked === 1 ? 0 : post.ai_like_count);
}

/** 1 where likes by keys and agents count for a rank, else 0. */
export const aiLikesCount: RawBuilder<number> = sql<number>`coalesce((select ai_likes from ranking), 1)`;

/**
 * `hotRank` in SQL, of those columns or expressions, for changing many posts in one statement. The engines' logarithms
 * may differ from JavaScript's in the last digit, which is far less than a millisecond of a post's age.
 */
export function hotRankSql({
  score,
  comments,
  postedAt,
}: Record<keyof Interest, RawBuilder<number>>): RawBuilder<number> {
  const interest = sql`${score} + ${sql.lit(COMMENT_WEIGHT)} * (${comments})`;
  return sql<number>`log(cast(case when ${interest} > 1 then ${interest} else 1 end as double precision))
    + cast(${postedAt} as double precision) / 1000 / ${sql.lit(DECADE_SECONDS)}`;
}

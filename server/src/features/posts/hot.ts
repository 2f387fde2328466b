import { type RawBuilder, sql } from "kysely";

/** This many seconds of age outweigh a tenfold score. */
const SECONDS_PER_FACTOR_TEN = 45_000;
/** A comment counts as this many likes. */
const COMMENT_WEIGHT = 2;

export interface RankInput {
  score: number;
  comments: number;
  /** Milliseconds since 1970. */
  postedAt: number;
}

/**
 * The rank in `sort=hot`: the logarithm of the post's engagement, plus its time. It doesn't depend on the current time, so
 * it is computed when the engagement changes, never on reading.
 */
export function hotRank({ score, comments, postedAt }: RankInput): number {
  const engagement = Math.max(score + COMMENT_WEIGHT * comments, 1);
  return Math.log10(engagement) + postedAt / 1000 / SECONDS_PER_FACTOR_TEN;
}

/** No post has this many likes and comments; imported scores are limited. A logarithm to base 10. */
const MAX_ENGAGEMENT = 12;
/** More than the difference between the engines' logarithms. */
const ROUNDING = 1e-6;

/** The ranks that posts of a period can have. */
export function ranksIn({ from, before }: { from: number; before: number }): { least: number; most: number } {
  const timeOf = (at: number) => hotRank({ score: 0, comments: 0, postedAt: at });
  return { least: timeOf(from) - ROUNDING, most: timeOf(before) + MAX_ENGAGEMENT };
}

/**
 * The likes that count for a rank, in SQL: all, or only people's, depending on the setting `HOT_LIKES`. The choice is
 * read from the database, so that all processes compute the same ranks at any time.
 */
export function rankedLikes({
  likes,
  aiLikes,
}: Record<"likes" | "aiLikes", RawBuilder<number>>): RawBuilder<number> {
  return sql<number>`(${likes} - case when ${ranksAiLikes} = 1 then 0 else ${aiLikes} end)`;
}

/** `origin_score` plus the likes that count, for a post that was read. */
export function rankedScore(post: {
  origin_score: number;
  like_count: number;
  ai_like_count: number;
  ai_ranked: number;
}): number {
  return post.origin_score + post.like_count - (post.ai_ranked === 1 ? 0 : post.ai_like_count);
}

/** 1 if likes by keys and agents count for a rank, else 0. */
export const ranksAiLikes: RawBuilder<number> = sql<number>`coalesce((select ai_likes from ranking), 1)`;

/**
 * `hotRank` in SQL, for updating many posts in one statement. The engines' logarithms may differ from JavaScript's in the
 * last digit, which is far less than a millisecond of a post's age.
 */
export function hotRankSql({
  score,
  comments,
  postedAt,
}: Record<keyof RankInput, RawBuilder<number>>): RawBuilder<number> {
  const engagement = sql`${score} + ${sql.lit(COMMENT_WEIGHT)} * (${comments})`;
  return sql<number>`log(cast(case when ${engagement} > 1 then ${engagement} else 1 end as double precision))
    + cast(${postedAt} as double precision) / 1000 / ${sql.lit(SECONDS_PER_FACTOR_TEN)}`;
}

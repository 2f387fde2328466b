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

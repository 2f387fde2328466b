export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The demo data's time span, in milliseconds since 1970. */
export interface Span {
  /** The first post. */
  from: number;
  /** Now, as the demo world sees it. */
  at: number;
}

/** Larger data sets span more time: two months for 2,000 posts, two years for a million. */
export function spanOf(posts: number, at: number): Span {
  return { from: Math.floor(at - 60 * DAY * (posts / 2000) ** 0.4), at };
}

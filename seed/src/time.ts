import { DAY } from "@tandem/contract/durations";

/** The time span of the demo data, in milliseconds since 1970. */
export interface Span {
  /** The first post. */
  start: number;
  /** The present of the demo data. */
  end: number;
}

/** Larger data sets span more time: two months for 2,000 posts, two years for a million. */
export function spanOf(posts: number, end: number): Span {
  return { start: Math.floor(end - 60 * DAY * (posts / 2000) ** 0.4), end };
}

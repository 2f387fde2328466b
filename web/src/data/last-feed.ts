import type { Post } from "@tandem/contract/post-resources";
import type { User } from "@tandem/contract/resources";
import { deleteStored, readStored, storedNames, writeStored } from "./stored.ts";

/** What the offline page shows to a signed-in reader. */
export interface LastFeed {
  user: User;
  posts: Post[];
  /** When it was loaded, in milliseconds since 1970. */
  at: number;
}

/** The account's id follows, so that another account's feed is recognized without reading it. */
const PREFIX = "tandem.last-feed.";
const MAX_POSTS = 30;

const nameOf = ({ id }: Pick<User, "id">) => `${PREFIX}${id}`;

/** Keeps the feed in this browser. */
export function keepLastFeed(user: User, posts: readonly Post[]): void {
  // Also the account's own, which would stay if there were no space for the new one.
  deleteStored(PREFIX);
  // The address is for no page that works offline.
  const feed: LastFeed = { user: { ...user, email: "" }, posts: posts.slice(0, MAX_POSTS), at: Date.now() };
  writeStored(nameOf(user), feed);
}

export function readLastFeed(): LastFeed | null {
  const { user, posts, at } = readStored<LastFeed>(storedNames(PREFIX)[0] ?? PREFIX) ?? {};
  return user && Array.isArray(posts) && typeof at === "number" ? { user, posts, at } : null;
}

/** Deletes the feed that someone else left in this browser, or the reader before their session ended elsewhere. */
export function forgetFeedOfOthers(me: User | null): void {
  for (const name of storedNames(PREFIX)) if (!me || name !== nameOf(me)) writeStored(name, null);
}

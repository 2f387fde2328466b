import type { Db } from "../../storage/storage.ts";
import { havePolls, withPolls } from "./poll-results.ts";
import { haveQuotes, type Reading, withQuotes } from "./quotes.ts";

/** Whether anything has to be looked up for any of these posts, as JSON. */
export const areIncomplete = (posts: Buffer | string): boolean => haveQuotes(posts) || havePolls(posts);

/** Posts as JSON, with what is looked up whenever they are shown: the posts that they quote, and how their polls stand. */
export async function completePosts(db: Db, posts: readonly string[], reading: Reading): Promise<string[]> {
  return withPolls(db, await withQuotes(db, posts, reading), reading);
}

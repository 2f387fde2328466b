import type { Db } from "../../storage/storage.ts";
import { havePolls, readResults } from "./poll-results.ts";
import { haveQuotes, idIn, type Reading, readQuotes } from "./quotes.ts";

/** Whether anything has to be looked up for any of these posts, as JSON. */
export const areIncomplete = (posts: Buffer | string): boolean => haveQuotes(posts) || havePolls(posts);

/**
 * Posts as JSON, with what is looked up whenever they are shown: the posts that they quote (`"quote":{…}`, or `null` if this reader can't
 * see it), and how their polls and those of quoted posts stand (`"pollResults":{…}`). That is at most one query for all quotes, and one for
 * all polls.
 */
export async function completePosts(db: Db, posts: readonly string[], reading: Reading): Promise<string[]> {
  const isIncomplete = posts.map(areIncomplete);
  const incomplete = posts.filter((_, i) => isIncomplete[i]);
  if (incomplete.length === 0) return [...posts];
  const quotes = await readQuotes(db, incomplete, reading);
  const polled = [
    ...incomplete.filter(havePolls).map(idIn),
    ...[...quotes.values()].flatMap(({ id, poll }) => (poll ? [id] : [])),
  ];
  const results =
    polled.length === 0 ? null : await readResults(db, [...new Set(polled)], reading.caller?.userId ?? null);
  return posts.map((json, i) => (isIncomplete[i] ? complete(json) : json));

  function complete(json: string): string {
    const id = idIn(json);
    const quote = quotes.get(id) ?? null;
    const added = [
      ...(haveQuotes(json) ? [["quote", quote && { ...quote, ...resultsOf(quote.id) }]] : []),
      ...(havePolls(json) ? Object.entries(resultsOf(id)) : []),
    ];
    const fields = added.map(([name, value]) => `,"${name}":${JSON.stringify(value)}`);
    return `${json.slice(0, -1)}${fields.join("")}}`;
  }

  function resultsOf(id: number) {
    const pollResults = results?.get(id);
    return pollResults ? { pollResults } : {};
  }
}

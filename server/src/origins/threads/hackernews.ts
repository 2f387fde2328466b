import { at, jsonOf, listAt, stringAt } from "../clean/json.ts";
import { plainOf } from "../clean/text.ts";
import { cleanThread, type RawComment, type ReadThread } from "./thread.ts";

const home = "https://news.ycombinator.com";

/**
 * Two requests, however long the thread is: Hacker News' own API gives one comment per request, so the texts come from its
 * search, which has whole threads, and only the order from its own API. There are no scores.
 */
export const readHackerNews: ReadThread = async ({ searchParams }, ask) => {
  const id = searchParams.get("id") ?? "";
  if (!/^\d{1,15}$/.test(id)) return null;
  const accept = "application/json";
  const [story, thread] = await Promise.all([
    ask(`https://hacker-news.firebaseio.com/v0/item/${id}.json`, { accept }),
    ask(`https://hn.algolia.com/api/v1/items/${id}`, { accept }),
  ]);
  const best = listAt(jsonOf(story), "kids");
  const ranks = new Map(best.map((kid, rank) => [kid, rank]));
  const rankOf = (comment: unknown) => ranks.get(at(comment, "id")) ?? best.length;
  const comments = listAt(jsonOf(thread), "children").toSorted((a, b) => rankOf(a) - rankOf(b));
  return cleanThread(comments, rawCommentOf);
};

function rawCommentOf(comment: unknown): RawComment<unknown> {
  const id = at(comment, "id");
  return {
    author: at(comment, "author"),
    body: plainOf(stringAt(comment, "text"), home),
    postedAt: at(comment, "created_at"),
    url: Number.isSafeInteger(id) ? `${home}/item?id=${id}` : null,
    replies: listAt(comment, "children"),
  };
}

import { at, jsonOf, listAt, stringAt } from "../clean/json.ts";
import { type Ask, OriginError } from "../connector.ts";
import { readFeed } from "../feeds/parse-in-thread.ts";
import { feedTypes } from "../rss.ts";
import { cleanThread, type RawComment, type ReadThread, type ThreadComment } from "./thread.ts";

const home = "https://www.reddit.com";

/**
 * The comments in the order that Reddit calls best, without those behind "more replies". Where Reddit refuses its JSON, its
 * feed has at least the latest ones, without scores and depth.
 */
export const readReddit: ReadThread = async ({ pathname }, ask) => {
  const id = /^\/(?:r\/\w+\/|user\/[\w-]+\/)?comments\/(\w{1,20})(?:\/|$)/.exec(pathname)?.[1];
  if (!id) return null;
  try {
    return await readJson(`${home}/comments/${id}.json?sort=confidence&limit=100&raw_json=1`, ask);
  } catch (error) {
    if (!(error instanceof OriginError) || ![null, 401, 403].includes(error.status)) throw error;
    return readEntries(`${home}/comments/${id}.rss?limit=100`, ask);
  }
};

async function readJson(url: string, ask: Ask): Promise<ThreadComment[]> {
  const response = await ask(url, { accept: "application/json" });
  return cleanThread(listAt(jsonOf(response), 1, "data", "children"), rawCommentOf);
}

function rawCommentOf(child: unknown): RawComment<unknown> {
  const comment = at(child, "data");
  const permalink = stringAt(comment, "permalink");
  const body = at(comment, "body");
  return {
    author: at(comment, "author"),
    body,
    score: at(comment, "score_hidden") === true ? null : at(comment, "score"),
    postedAt: at(comment, "created_utc"),
    url: permalink && home + permalink,
    replies: listAt(comment, "replies", "data", "children"),
    isLeftOut: at(child, "kind") !== "t1" || body === "[deleted]" || body === "[removed]",
  };
}

async function readEntries(url: string, ask: Ask): Promise<ThreadComment[]> {
  const { entries } = await readFeed(await ask(url, { accept: feedTypes }));
  return cleanThread(entries, ({ id, author, body, link, times }) => ({
    author: author?.replace(/^\/u\//, ""),
    body,
    postedAt: times.find(Boolean),
    url: link,
    // The post itself comes first.
    isLeftOut: !id?.startsWith("t1_"),
  }));
}

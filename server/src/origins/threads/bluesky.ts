import { appView, bodyOfPost, isAdult, isBot, pageOf } from "../bluesky.ts";
import { at, jsonOf, listAt } from "../clean/json.ts";
import { cleanThread, type RawComment, type ReadThread } from "./thread.ts";

/** The replies to a post, in the AppView's order. Leaves out the same as the connector does. */
export const readBluesky: ReadThread = async ({ pathname }, ask) => {
  const [, actor, key] = /^\/profile\/([\w.:-]{3,253})\/post\/([\w.~-]{1,100})$/.exec(pathname) ?? [];
  if (!actor) return null;
  const uri = encodeURIComponent(`at://${actor}/app.bsky.feed.post/${key}`);
  const response = await ask(`${appView}/app.bsky.feed.getPostThread?uri=${uri}&depth=8&parentHeight=0`, {
    accept: "application/json",
  });
  return cleanThread(listAt(jsonOf(response), "thread", "replies"), rawCommentOf);
};

function rawCommentOf(reply: unknown): RawComment<unknown> {
  const post = at(reply, "post");
  return {
    author: at(post, "author", "handle"),
    body: bodyOfPost(post),
    score: at(post, "likeCount"),
    postedAt: at(post, "record", "createdAt") ?? at(post, "indexedAt"),
    url: pageOf(post),
    isBot: isBot(at(post, "author")),
    replies: listAt(reply, "replies"),
    isLeftOut: isAdult(post),
  };
}

import { appView, bodyOfPost, isBot, pageOf, postedAt, unshownFor } from "../bluesky.ts";
import { nameIn } from "../bluesky-records.ts";
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
    author: nameIn(at(post, "author")),
    body: bodyOfPost(post),
    score: at(post, "likeCount"),
    postedAt: postedAt(post),
    url: pageOf(post),
    isBot: isBot(at(post, "author")),
    replies: listAt(reply, "replies"),
    isLeftOut: unshownFor(post) !== null,
  };
}

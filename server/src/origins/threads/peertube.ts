import { at, jsonOf, listAt } from "../clean/json.ts";
import { plainOf } from "../clean/text.ts";
import { addressOf } from "../peertube.ts";
import { cleanThread, type ReadThread } from "./thread.ts";

/** The comments on a video, those with most replies first. Each one's replies would take a request of their own, and are left out. */
export const readPeerTube: ReadThread = async ({ origin, pathname }, ask) => {
  const id = /^\/(?:w|videos\/watch)\/([\w-]{10,50})$/.exec(pathname)?.[1];
  if (!id) return null;
  const url = `${origin}/api/v1/videos/${id}/comment-threads?sort=-totalReplies&count=100`;
  const response = await ask(url, { accept: "application/json" });
  return cleanThread(listAt(jsonOf(response), "data"), (comment) => ({
    author: addressOf(at(comment, "account")),
    body: plainOf(at(comment, "text"), origin),
    postedAt: at(comment, "createdAt"),
    url: at(comment, "url"),
    isLeftOut: at(comment, "isDeleted") === true,
  }));
};

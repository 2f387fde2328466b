import { at, jsonOf, listAt, stringAt } from "../clean/json.ts";
import { accountName } from "../community-server.ts";
import { type Ask, OriginError } from "../connector.ts";
import { cleanThread, type RawComment, type ReadThread, type ThreadComment, treesOf } from "./thread.ts";

/* Lemmy and PieFed: the thread is read from the post's own server, in its order "hot". */

export const readLemmy: ReadThread = async (url, ask) => {
  const id = postIn(url);
  if (!id) return null;
  const which = `post_id=${id}&limit=50&max_depth=8`;
  try {
    return await readList(`${url.origin}/api/v3/comment/list?${which}&sort=Hot&type_=All`, ask);
  } catch (error) {
    // Lemmy's v4 API replaces v3, which is then 404 or 410.
    if (!(error instanceof OriginError) || (error.status !== 404 && error.status !== 410)) throw error;
    return readList(`${url.origin}/api/v4/comment/list?${which}&sort=hot&type_=all`, ask);
  }
};

export const readPieFed: ReadThread = async (url, ask) => {
  const id = postIn(url);
  if (!id) return null;
  return readList(`${url.origin}/api/alpha/comment/list?post_id=${id}&sort=Hot&limit=50&max_depth=8`, ask);
};

function postIn({ pathname }: URL): string | undefined {
  return /^\/(?:c\/[\w@.-]+\/p|post)\/(\d{1,15})(?:\/|$)/.exec(pathname)?.[1];
}

async function readList(url: string, ask: Ask): Promise<ThreadComment[]> {
  const all = jsonOf(await ask(url, { accept: "application/json" }));
  // Lemmy's v4 API calls the list `items`, all others `comments`.
  const trees = treesOf(listAt(all, at(all, "items") ? "items" : "comments"), idsOf);
  return cleanThread(trees, ({ one, replies }) => ({ ...rawCommentOf(one), replies }));
}

/** A path has the ids of a comment's ancestors and its own, such as 0.12.34. */
function idsOf(view: unknown) {
  const path = stringAt(view, "comment", "path")?.split(".") ?? [];
  return { id: path.at(-1) ?? null, parent: path.at(-2) ?? null };
}

function rawCommentOf(view: unknown): RawComment<never> {
  const [comment, creator] = [at(view, "comment"), at(view, "creator")];
  return {
    author: accountName(
      stringAt(creator, "name") ?? stringAt(creator, "user_name"),
      stringAt(creator, "actor_id") ?? stringAt(creator, "ap_id"),
    ),
    // Markdown, as the posts' texts are.
    body: at(comment, "content") ?? at(comment, "body"),
    score: at(view, "counts", "score") ?? at(comment, "score"),
    postedAt: at(comment, "published") ?? at(comment, "published_at"),
    url: at(comment, "ap_id"),
    isBot: at(creator, "bot_account") === true || at(creator, "bot") === true,
    isLeftOut: at(comment, "deleted") === true || at(comment, "removed") === true,
  };
}

import { at, jsonOf, listAt, stringAt } from "../clean/json.ts";
import { plainOf } from "../clean/text.ts";
import { cleanThread, type RawComment, type ReadThread, treesOf } from "./thread.ts";

/** The public replies to a post, as its author's server shows them to everyone. Of a warned one, only the warning. */
export const readMastodon: ReadThread = async (url, ask) => {
  const id = /^\/(?:@[\w.@-]+|users\/[\w.-]+\/statuses)\/(\w{1,60})\/?$/.exec(url.pathname)?.[1];
  if (!id) return null;
  const response = await ask(`${url.origin}/api/v1/statuses/${id}/context`, { accept: "application/json" });
  const trees = treesOf(listAt(jsonOf(response), "descendants"), (status) => ({
    id: stringAt(status, "id"),
    parent: stringAt(status, "in_reply_to_id"),
  }));
  return cleanThread(trees, ({ one, replies }) => ({ ...rawCommentOf(one, url.hostname), replies }));
};

function rawCommentOf(status: unknown, host: string): RawComment<never> {
  const account = at(status, "account");
  const name = stringAt(account, "acct");
  const isPublic = ["public", "unlisted"].includes(stringAt(status, "visibility") ?? "");
  return {
    author: name && (name.includes("@") ? name : `${name}@${host}`),
    body:
      stringAt(status, "spoiler_text") ??
      plainOf(at(status, "content"), stringAt(status, "url") ?? undefined),
    score: at(status, "favourites_count"),
    postedAt: at(status, "created_at"),
    url: at(status, "url") ?? at(status, "uri"),
    isBot: at(account, "bot") === true,
    isLeftOut: !isPublic || at(account, "noindex") === true,
  };
}

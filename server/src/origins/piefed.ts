import type { RawItem } from "./clean/item.ts";
import { at, listAt, stringAt } from "./clean/json.ts";
import { accountName, commonFields, communityAt, pollPosts, recognizeCommunity } from "./community-server.ts";
import type { Connector } from "./connector.ts";
import { mediaAmong } from "./feeds/media.ts";
import { withPoll } from "./poll-options.ts";

/**
 * A community as seen by a PieFed server, or all posts of its own communities. Texts are Markdown, imported as is. The
 * score is the votes; NSFW posts are sensitive. A post is `ai_generated` if PieFed says so of it, or marks its author as a bot.
 */
export const piefed: Connector = {
  platform: "piefed",
  software: ["piefed"],
  recognize: recognizeCommunity,

  poll({ url }, ask) {
    const { origin, community } = communityAt(url);
    // Pinned posts would come first, and the list wouldn't be in order.
    const order = "sort=New&ignore_sticky=true&limit=50";
    const which = community ? `community_name=${encodeURIComponent(community)}` : "type_=Local";
    return pollPosts(ask, `${origin}/api/alpha/post/list?${which}&${order}`, rawItemOf);
  },
};

/** PieFed says what a post is, but no MIME types. Its videos are files, or pages of other sites. */
const kinds = new Map<string, { type: string } | { medium: string }>([
  ["Image", { medium: "image" }],
  ["Link", { type: "text/html" }],
]);

function rawItemOf(view: unknown): RawItem {
  const [post, creator] = [at(view, "post"), at(view, "creator")];
  const url = at(post, "url");
  const size = at(post, "image_details");
  const [media] = mediaAmong([{ url, ...kinds.get(stringAt(post, "post_type") ?? "") }]);
  return {
    ...commonFields(view),
    link: media ? null : url,
    author: accountName(stringAt(creator, "user_name"), stringAt(creator, "actor_id")),
    title: at(post, "title"),
    body: withPoll(stringAt(post, "body"), listAt(post, "poll", "choices"), "choice_text"),
    media: media && {
      ...media,
      width: at(size, "width"),
      height: at(size, "height"),
      alt: at(post, "alt_text"),
    },
    score: at(view, "counts", "score"),
    commentCount: at(view, "counts", "comments"),
    provenance: at(post, "ai_generated") === true || at(creator, "bot") === true ? "ai_generated" : null,
    postedAt: at(post, "published"),
  };
}

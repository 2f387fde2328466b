import type { RawItem } from "./clean/item.ts";
import { at, jsonOf, stringAt } from "./clean/json.ts";
import { type Ask, type Connector, OriginError, type PollResult } from "./connector.ts";
import { mediaAmong } from "./feeds/media.ts";
import { pollResultOf, unchangedResult } from "./poll.ts";

/**
 * A community as seen by a Lemmy server, or all local posts of that server. Texts are Markdown, imported as is. The
 * score is the votes; NSFW posts are skipped.
 */
export const lemmy: Connector = {
  platform: "lemmy",
  software: ["lemmy"],

  recognize({ origin, hostname, pathname }) {
    const community = /^\/c\/(\w{2,60}(?:@[\w.-]+)?)\/?$/.exec(pathname)?.[1];
    if (community) {
      const name = community.includes("@") ? `!${community}` : `!${community}@${hostname}`;
      return { url: `${origin}/c/${community}`, name, community: community.split("@")[0] ?? community };
    }
    return pathname === "/" ? { url: `${origin}/`, name: hostname, community: null } : null;
  },

  async poll({ url }, ask) {
    const { origin, pathname } = new URL(url);
    const community = /^\/c\/(.+)$/.exec(pathname)?.[1];
    const which = community ? `community_name=${encodeURIComponent(community)}&` : "";
    const local = community ? "" : "&type_=Local";
    try {
      return await pollList(ask, `${origin}/api/v3/post/list?${which}sort=New&limit=50${local}`);
    } catch (error) {
      // Lemmy's v4 API replaces v3, which is then 404 or 410.
      if (!(error instanceof OriginError) || (error.status !== 404 && error.status !== 410)) throw error;
      const all = local.toLowerCase();
      return pollList(ask, `${origin}/api/v4/post/list?${which}sort=new&limit=50${all}`);
    }
  },
};

async function pollList(ask: Ask, url: string): Promise<PollResult> {
  const response = await ask(url, { accept: "application/json" });
  if (response.status === 304) return unchangedResult(response);
  const all = jsonOf(response);
  // Early releases of the v4 API called the list `posts` instead of `items`.
  const list = at(all, "items") ? "items" : "posts";
  return pollResultOf(response, all, { list: [list], toRawItem: rawItemOf, isGone, complete: true });
}

function isGone(one: unknown): boolean {
  return at(one, "post", "removed") === true || at(one, "post", "deleted") === true;
}

/** Handles both API versions, which differ in where counts and times are. */
function rawItemOf(one: unknown): RawItem | null {
  const [post, creator] = [at(one, "post"), at(one, "creator")];
  if (at(post, "nsfw") === true || at(one, "community", "nsfw") === true) return null;
  const url = at(post, "url");
  const [media] = mediaAmong([{ url, type: stringAt(post, "url_content_type") ?? "" }]);
  return {
    key: at(post, "ap_id"),
    permalink: at(post, "ap_id"),
    link: media ? null : url,
    author: addressOf(creator),
    authorAvatarUrl: at(creator, "avatar"),
    title: at(post, "name"),
    body: at(post, "body"),
    media: media && { ...media, alt: at(post, "alt_text") },
    thumbnailUrl: at(post, "thumbnail_url"),
    community: at(one, "community", "name"),
    score: at(one, "counts", "score") ?? at(post, "score"),
    provenance: at(creator, "bot_account") === true ? "ai_generated" : null,
    postedAt: at(post, "published") ?? at(post, "published_at"),
  };
}

function addressOf(creator: unknown): string | null {
  const [name, actor] = [
    stringAt(creator, "name"),
    stringAt(creator, "actor_id") ?? stringAt(creator, "ap_id"),
  ];
  return name && actor && URL.canParse(actor) ? `${name}@${new URL(actor).host}` : name;
}

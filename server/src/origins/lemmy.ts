import type { RawItem } from "./clean/item.ts";
import { at, jsonOf, stringAt } from "./clean/json.ts";
import { type Ask, type Connector, type Gathered, OriginError } from "./connector.ts";
import { mediaAmong } from "./feeds/media.ts";
import { gatheredFrom, unchangedAs } from "./visit.ts";

/**
 * A community as one of Lemmy's servers knows it, or all that is posted at that server. Texts are Markdown, which is kept: it is
 * plain text. Votes are the score; what is marked as not for everybody is left out.
 */
export const lemmy: Connector = {
  platform: "lemmy",
  software: ["lemmy"],

  recognise({ origin, hostname, pathname }) {
    const community = /^\/c\/(\w{2,60}(?:@[\w.-]+)?)\/?$/.exec(pathname)?.[1];
    if (community) {
      const name = community.includes("@") ? `!${community}` : `!${community}@${hostname}`;
      return { url: `${origin}/c/${community}`, name, community: community.split("@")[0] ?? community };
    }
    return pathname === "/" ? { url: `${origin}/`, name: hostname, community: null } : null;
  },

  async gather({ url }, ask) {
    const { origin, pathname } = new URL(url);
    const community = /^\/c\/(.+)$/.exec(pathname)?.[1];
    const which = community ? `community_name=${encodeURIComponent(community)}&` : "";
    const local = community ? "" : "&type_=Local";
    try {
      return await gatherList(ask, `${origin}/api/v3/post/list?${which}sort=New&limit=50${local}`);
    } catch (error) {
      // Its successor says no more of the old one than that it isn't there.
      if (!(error instanceof OriginError) || (error.status !== 404 && error.status !== 410)) throw error;
      const all = local.toLowerCase();
      return gatherList(ask, `${origin}/api/v4/post/list?${which}sort=new&limit=50${all}`);
    }
  },
};

async function gatherList(ask: Ask, url: string): Promise<Gathered> {
  const answer = await ask(url, { accept: "application/json" });
  if (answer.status === 304) return unchangedAs(answer);
  const all = jsonOf(answer);
  // The newer version calls all of its lists alike, but didn't from its first day.
  const list = at(all, "items") ? "items" : "posts";
  return gatheredFrom(answer, all, { list: [list], draft: draftOf, isGone, complete: true });
}

function isGone(one: unknown): boolean {
  return at(one, "post", "removed") === true || at(one, "post", "deleted") === true;
}

/** The two versions differ in where counts and times stand. */
function draftOf(one: unknown): RawItem | null {
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

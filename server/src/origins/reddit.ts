import { webAddress } from "./clean/address.ts";
import type { FoundMedia, RawItem } from "./clean/item.ts";
import { at, jsonOf, listAt, stringAt } from "./clean/json.ts";
import { type Ask, type Connector, OriginError, type PollResult, type SourceAddress } from "./connector.ts";
import type { Entry } from "./feeds/entry.ts";
import { pollResultOf, unchangedResult } from "./poll.ts";
import { pollFeed } from "./rss.ts";

const home = "https://www.reddit.com";

/**
 * A subreddit in one of its orders, or a user's posts. The JSON listing has scores and media. Reddit refuses it to many
 * servers; then the RSS feed provides at least the posts. NSFW posts are skipped.
 */
export const reddit: Connector = {
  platform: "reddit",

  recognize(address) {
    if (!/^(?:(?:www|old|new|np|sh)\.)?reddit\.com$/.test(address.hostname)) return null;
    const path = address.pathname.toLowerCase().replace(/(?:\/|\.rss|\.json)+$/, "");
    const [, sub, order = "new"] = /^\/r\/(\w[\w+]{1,100})(?:\/(hot|new|top|rising|best))?$/.exec(path) ?? [];
    if (sub) return { url: `${home}/r/${sub}/${order}`, name: `r/${sub}`, community: sub };
    const user = /^\/u(?:ser)?\/([\w-]{2,40})(?:\/submitted)?$/.exec(path)?.[1];
    return user ? { url: `${home}/user/${user}/submitted`, name: `u/${user}`, community: null } : null;
  },

  async poll(place, ask) {
    try {
      return await pollListing(place, ask);
    } catch (error) {
      if (!(error instanceof OriginError) || ![null, 401, 403].includes(error.status)) throw error;
      return {
        ...(await pollFeed(place, ask, rawItemOfEntry, { url: `${place.url}.rss?limit=100` })),
        brief: true,
      };
    }
  },
};

async function pollListing({ url }: SourceAddress, ask: Ask): Promise<PollResult> {
  const response = await ask(`${url}.json?limit=100&raw_json=1`, { accept: "application/json" });
  if (response.status === 304) return unchangedResult(response);
  return pollResultOf(response, jsonOf(response), {
    list: ["data", "children"],
    toRawItem: (child) => rawItemOf(at(child, "data")),
    isGone: (child) => at(child, "data", "removed_by_category") != null,
    complete: /\/(new|submitted)$/.test(url),
  });
}

function rawItemOf(post: unknown): RawItem {
  const media = mediaOf(post);
  const isOwn = at(post, "is_self") === true || at(post, "is_gallery") === true;
  return {
    skip: at(post, "over_18") === true ? "adult" : null,
    key: at(post, "name"),
    permalink: at(post, "permalink"),
    link: isOwn || media ? null : at(post, "url"),
    author: at(post, "author"),
    title: at(post, "title"),
    body: at(post, "selftext"),
    media,
    thumbnailUrl: stringAt(post, "preview", "images", 0, "source", "url") ?? thumbnailOf(post),
    community: at(post, "subreddit"),
    score: at(post, "score"),
    postedAt: at(post, "created_utc"),
    base: home,
  };
}

/** Reddit puts a word such as "self" where there is no thumbnail. */
function thumbnailOf(post: unknown): string | null {
  return webAddress(at(post, "thumbnail"));
}

function mediaOf(post: unknown): FoundMedia | null {
  const hosted = at(post, "media", "reddit_video");
  if (hosted) {
    const type = at(hosted, "is_gif") === true ? "gif" : "video";
    return { ...sized(hosted), type, url: at(hosted, "fallback_url"), seconds: at(hosted, "duration") };
  }
  const preview = at(post, "preview", "images", 0, "source");
  const url = stringAt(post, "url") ?? "";
  if (/^https:\/\/i\.redd\.it\/.*\.gif$|\.gifv?$/i.test(url)) {
    const moving = at(post, "preview", "images", 0, "variants", "mp4", "source", "url");
    return { ...sized(preview), type: "gif", url: moving ?? url };
  }
  if (/^https:\/\/i\.(redd\.it|imgur\.com)\//.test(url) || at(post, "post_hint") === "image")
    return { ...sized(preview), type: "image", url };
  return galleryOf(post);
}

/** The first picture of a gallery, because a post has one picture. */
function galleryOf(post: unknown): FoundMedia | null {
  const [first] = listAt(post, "gallery_data", "items");
  const picture = at(post, "media_metadata", stringAt(first, "media_id") ?? "", "s");
  const [url, width, height] = [at(picture, "u"), at(picture, "x"), at(picture, "y")];
  return url ? { type: "image", url, width, height, alt: at(first, "caption") } : null;
}

function sized(of: unknown) {
  return { width: at(of, "width"), height: at(of, "height") };
}

function rawItemOfEntry(entry: Entry, { community }: SourceAddress): RawItem {
  return {
    key: entry.id,
    permalink: entry.link,
    link: linkIn(entry.body),
    author: entry.author?.replace(/^\/u\//, ""),
    title: entry.title,
    body: withoutFooter(entry.body),
    thumbnailUrl: entry.thumbnail,
    community,
    postedAt: entry.times.find(Boolean),
  };
}

/** The link in the entry's footer; null for text posts, which link to themselves. */
function linkIn(body: string): string | null {
  const link = webAddress(/\[link\] \((\S+)\)/.exec(body.slice(body.lastIndexOf("submitted by")))?.[1]);
  return link === null || /(?:^|\.)reddit\.com$/.test(new URL(link).hostname) ? null : link;
}

/** Removes the footer with author and links that the feed appends to each text. */
function withoutFooter(body: string): string {
  const footer = body.lastIndexOf("submitted by");
  return footer < 0 ? body : body.slice(0, footer);
}

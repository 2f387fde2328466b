import { webAddress } from "./clean/address.ts";
import type { FoundMedia, RawItem } from "./clean/item.ts";
import { at, jsonOf, listAt, stringAt } from "./clean/json.ts";
import { type Ask, type Connector, OriginError, type PollResult, type SourceAddress } from "./connector.ts";
import type { Entry } from "./feeds/entry.ts";
import { hostedMedia } from "./hosted-media.ts";
import { pollResultOf, unchangedResult } from "./poll.ts";
import { withPoll } from "./poll-options.ts";
import { pollFeed } from "./rss.ts";

const home = "https://www.reddit.com";

/**
 * A subreddit in one of its orders, or a user's posts. The JSON listing has scores and media. Reddit refuses it to many
 * servers; then the RSS feed provides at least the posts. NSFW posts are sensitive; spoilers have a warning.
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
  // A crosspost has its original's text and media only inside it.
  const original = at(post, "crosspost_parent_list", 0);
  const media = mediaOf(post) ?? mediaOf(original);
  const pictures = [post, original].map(galleryOf).find((gallery) => gallery.length > 0) ?? [];
  const isMarked = (mark: string) => [post, original].some((one) => at(one, mark) === true);
  const isOwn = at(post, "is_self") === true || at(post, "is_gallery") === true;
  return {
    key: at(post, "name"),
    permalink: at(post, "permalink"),
    link: isOwn || media ? null : at(post, "url"),
    author: at(post, "author"),
    title: at(post, "title"),
    body: withPoll(
      stringAt(post, "selftext") ?? stringAt(original, "selftext"),
      listAt(post, "poll_data", "options"),
      "text",
    ),
    media,
    pictures,
    thumbnailUrl: stringAt(post, "preview", "images", 0, "source", "url") ?? thumbnailOf(post),
    contentWarning: isMarked("spoiler") ? "Spoiler" : null,
    sensitive: isMarked("over_18"),
    community: at(post, "subreddit"),
    score: at(post, "score"),
    commentCount: at(post, "num_comments"),
    postedAt: at(post, "created_utc"),
    base: home,
  };
}

/** Reddit puts a word such as "self" where there is no thumbnail. */
function thumbnailOf(post: unknown): string | null {
  return webAddress(at(post, "thumbnail"));
}

function mediaOf(post: unknown): FoundMedia | null {
  const hosted = at(post, "media", "reddit_video") ?? at(post, "secure_media", "reddit_video");
  if (hosted) {
    const type = at(hosted, "is_gif") === true ? "gif" : "video";
    return { ...sized(hosted), type, url: at(hosted, "fallback_url"), seconds: at(hosted, "duration") };
  }
  const preview = at(post, "preview", "images", 0, "source");
  const url = stringAt(post, "url");
  const found = hostedMedia(url);
  if (found?.type === "gif") {
    const moving = at(post, "preview", "images", 0, "variants", "mp4", "source", "url");
    return { ...sized(preview), ...found, url: moving ?? found.url };
  }
  if (found) return { ...sized(preview), ...found };
  if (at(post, "post_hint") === "image") return { ...sized(preview), type: "image", url };
  return galleryOf(post)[0] ?? null;
}

/** The pictures of a gallery. */
function galleryOf(post: unknown): FoundMedia[] {
  return listAt(post, "gallery_data", "items").flatMap((item) => {
    const picture = at(post, "media_metadata", stringAt(item, "media_id") ?? "", "s");
    const [url, width, height] = [at(picture, "u"), at(picture, "x"), at(picture, "y")];
    return url ? [{ type: "image" as const, url, width, height, alt: at(item, "caption") }] : [];
  });
}

function sized(of: unknown) {
  return { width: at(of, "width"), height: at(of, "height") };
}

function rawItemOfEntry(entry: Entry, { community }: SourceAddress): RawItem {
  const { text, target } = partsOf(entry);
  const media = hostedMedia(target);
  return {
    key: entry.id,
    permalink: entry.link,
    link: media ? null : target,
    author: entry.author?.replace(/^\/u\//, ""),
    title: entry.title,
    body: text,
    media,
    thumbnailUrl: entry.thumbnail,
    sensitive: entry.sensitive,
    community,
    postedAt: entry.times.find(Boolean),
  };
}

/**
 * A post's text and the address that it links to, from the body that the feed puts together: a thumbnail with a link to the
 * post, the text, and a footer with the author and two links. Posts without a target, such as texts, link to themselves.
 */
function partsOf({ id, link, body }: Entry): { text: string; target: string | null } {
  const end = body.lastIndexOf("submitted by");
  const [text, footer] = end < 0 ? [body, ""] : [body.slice(0, end), body.slice(end)];
  const target = webAddress(/\[link\] \((\S+)\)/.exec(footer)?.[1]);
  return {
    text: link && text.startsWith(link) ? text.slice(link.length) : text,
    target: target === null || isOwn(target, id) ? null : target,
  };
}

/** Whether an address is that of a post's own page or gallery. */
function isOwn(address: string, key: string | null): boolean {
  const { hostname, pathname } = new URL(address);
  return (
    /(?:^|\.)reddit\.com$/.test(hostname) && pathname.split("/").includes(key?.replace(/^t3_/, "") ?? "")
  );
}

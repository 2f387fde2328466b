import type { RawItem } from "./clean/item.ts";
import { nameOf } from "./clean/text.ts";
import type { Connector, SourceAddress } from "./connector.ts";
import type { Entry, Feed } from "./feeds/entry.ts";
import { readFeed } from "./feeds/parse-in-thread.ts";
import { feedTypes, pollFeed } from "./rss.ts";

const home = "https://www.youtube.com";

/** A channel or playlist, by its feed. The score is the likes; videos play in YouTube's embedded player. */
export const youtube: Connector = {
  platform: "youtube",

  recognize({ hostname, pathname, searchParams }) {
    if (!/^(?:(?:www|m)\.)?youtube\.com$/.test(hostname)) return null;
    const channel = searchParams.get("channel_id") ?? /^\/channel\/([\w-]+)/.exec(pathname)?.[1] ?? "";
    if (/^UC[\w-]{22}$/.test(channel)) return placeOf("channel_id", channel);
    const list = searchParams.get("playlist_id") ?? (pathname === "/playlist" && searchParams.get("list"));
    return list && /^[\w-]{10,60}$/.test(list) ? placeOf("playlist_id", list) : null;
  },

  /** The URL has only the channel's id. */
  async name(place, ask) {
    const { title } = await readFeed(await ask(place.url, { accept: feedTypes, unconditional: true }));
    const name = nameOf(title) ?? place.name;
    return { ...place, name, community: name };
  },

  poll: (place, ask) => pollFeed(place, ask, rawItemOf),
};

function placeOf(kind: string, id: string): SourceAddress {
  return { url: `${home}/feeds/videos.xml?${kind}=${id}`, name: id, community: null };
}

function rawItemOf(entry: Entry, { community, name }: SourceAddress, feed: Feed): RawItem {
  const channel = entry.author ?? nameOf(feed.title) ?? name;
  const id = /^yt:video:([\w-]{5,20})$/.exec(entry.id ?? "")?.[1];
  return {
    key: entry.id,
    permalink: entry.link,
    author: channel,
    title: entry.title,
    body: entry.body,
    media: id ? { type: "video", url: `https://www.youtube-nocookie.com/embed/${id}` } : null,
    thumbnailUrl: entry.thumbnail,
    community: community ?? channel,
    score: entry.likes,
    postedAt: entry.times.find(Boolean),
  };
}

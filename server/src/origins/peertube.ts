import type { RawItem } from "./clean/item.ts";
import { at, listAt, numberOf, stringAt } from "./clean/json.ts";
import type { Connector } from "./connector.ts";
import { pollJson } from "./poll.ts";

/** The API's name for each kind of path, in page URLs and API URLs. */
const kinds = new Map(
  Object.entries({
    c: "video-channels",
    "video-channels": "video-channels",
    a: "accounts",
    accounts: "accounts",
  }),
);

/**
 * A channel or account of a PeerTube server, or all its local videos. The score is the likes; videos play in that
 * server's embedded player. NSFW videos are sensitive; what they are about is the warning.
 */
export const peertube: Connector = {
  platform: "peertube",
  software: ["peertube"],

  recognize({ origin, hostname, pathname }) {
    const [, kind = "", name] =
      /^\/([\w-]+)\/([\w.-]{1,60}(?:@[\w.-]+)?)(?:\/videos|\/video-channels)?\/?$/.exec(pathname) ?? [];
    if (name && kinds.has(kind)) {
      const whole = name.includes("@") ? name : `${name}@${hostname}`;
      const isChannel = kinds.get(kind) === "video-channels";
      return {
        url: `${origin}/${isChannel ? "c" : "a"}/${name}`,
        name: whole,
        community: isChannel ? whole : null,
      };
    }
    return pathname === "/" ? { url: `${origin}/`, name: hostname, community: null } : null;
  },

  poll({ url, community }, ask) {
    const { origin, pathname } = new URL(url);
    const [, kind = "", name = ""] = pathname.split("/");
    const list = kinds.get(kind);
    const where = list ? `${list}/${name}/videos` : "videos";
    const local = list ? "" : "&isLocal=true";
    return pollJson(ask, `${origin}/api/v1/${where}?sort=-publishedAt&count=50&nsfw=both${local}`, {
      list: ["data"],
      toRawItem: (video) => rawItemOf(video, origin, community),
      complete: true,
    });
  },
};

function rawItemOf(video: unknown, origin: string, community: string | null): RawItem {
  const channel = at(video, "channel");
  const [name, host] = [stringAt(channel, "name"), stringAt(channel, "host")];
  const avatar = avatarOf(at(video, "account"));
  return {
    key: at(video, "url") ?? at(video, "uuid"),
    permalink: at(video, "url"),
    author: addressOf(at(video, "account")),
    authorAvatarUrl: at(avatar, "fileUrl") ?? at(avatar, "path"),
    title: at(video, "name"),
    body: at(video, "description") ?? at(video, "truncatedDescription"),
    media: { type: "video", url: at(video, "embedPath"), seconds: at(video, "duration") },
    thumbnailUrl: at(video, "previewPath") ?? at(video, "previewUrl") ?? at(video, "thumbnailPath"),
    contentWarning: at(video, "nsfw") === true ? at(video, "nsfwSummary") : null,
    sensitive: at(video, "nsfw") === true,
    community: community ?? (name && host ? `${name}@${host}` : null),
    score: at(video, "likes"),
    commentCount: at(video, "comments"),
    postedAt: at(video, "publishedAt"),
    base: origin,
  };
}

export function addressOf(account: unknown): string | null {
  const [name, host] = [stringAt(account, "name"), stringAt(account, "host")];
  return name && host ? `${name}@${host}` : name;
}

/** The largest of the account's pictures. Servers before version 6 have only one. */
function avatarOf(account: unknown): unknown {
  const widthOf = (avatar: unknown) => numberOf(at(avatar, "width")) || 0;
  const [largest] = listAt(account, "avatars").toSorted((a, b) => widthOf(b) - widthOf(a));
  return largest ?? at(account, "avatar");
}

import { webAddress } from "../clean/address.ts";
import { decode } from "../clean/charset.ts";
import { at, listAt, stringAt } from "../clean/json.ts";
import { nameOf } from "../clean/text.ts";
import {
  type ArchivedPicture,
  ArchiveError,
  type ArchiveReader,
  type Collector,
  type FoundPost,
} from "./archive.ts";
import { escapeMarkdown, markdownBody } from "./to-markdown.ts";

/*
 * X: Settings > Your account > Download an archive of your data. Its files are scripts that assign JSON to a variable. It has no
 * bookmarks, and the accounts that one follows only by number.
 */

const names = /(?:^|\/)(?:tweets?|following)(?:-part\d+)?\.js$/;
const ASSIGNMENT = /^\s*window\.YTD\.(\w+)\.part\d+\s*=\s*/;
const EARLIEST = Date.UTC(2006, 0, 1);

export const x: ArchiveReader = {
  reads: (name) => names.test(name),

  nameOf(bytes) {
    const variable = ASSIGNMENT.exec(decode(bytes.subarray(0, 1000), null))?.[1];
    if (variable === "following") return "following.js";
    return variable === "tweets" || variable === "tweet" ? "tweets.js" : null;
  },

  read(files, collector) {
    for (const { name, bytes } of files) {
      const isFollowing = /following[^/]*$/.test(name);
      if (!collector.wants(isFollowing ? "follows" : "posts")) continue;
      for (const item of itemsOf(decode(bytes, null)))
        if (isFollowing) addFollow(at(item, "following"), collector);
        // The first archives had no object around each.
        else collector.addPost(postOf(at(item, "tweet") ?? item));
    }
  },
};

function itemsOf(script: string): unknown[] {
  const assigned = ASSIGNMENT.exec(script)?.[0].length ?? 0;
  try {
    const items: unknown = JSON.parse(script.slice(assigned).replace(/;\s*$/, ""));
    if (Array.isArray(items)) return items;
  } catch (cause) {
    throw new ArchiveError("damaged", { cause });
  }
  throw new ArchiveError("damaged");
}

function addFollow(following: unknown, collector: Collector): void {
  const name = nameOf(at(following, "userLink") ?? at(following, "accountId"));
  if (name) collector.found.follows.set(name, { name, author: null, platform: null });
  else collector.leave("follows", "invalid");
}

function postOf(tweet: unknown): FoundPost {
  const id = stringAt(tweet, "id_str") ?? stringAt(tweet, "id");
  const text = at(tweet, "full_text") ?? at(tweet, "text");
  if (!id || !/^\d{1,20}$/.test(id) || typeof text !== "string") return "invalid";
  if (text.startsWith("RT @") || at(tweet, "retweeted") === true) return "repost";
  if (stringAt(tweet, "in_reply_to_status_id_str") ?? stringAt(tweet, "in_reply_to_status_id"))
    return "reply";
  const extended = listAt(tweet, "extended_entities", "media");
  const media = extended.length > 0 ? extended : listAt(tweet, "entities", "media");
  const pictures = media.flatMap((one) => pictureOf(id, one) ?? []);
  const postedAt = Date.parse(stringAt(tweet, "created_at") ?? "");
  return {
    key: id,
    url: `https://x.com/i/web/status/${id}`,
    title: null,
    body: markdownBody(markdownOf(text, tweet, media)),
    link: null,
    postedAt: postedAt >= EARLIEST ? postedAt : null,
    contentWarning: null,
    sensitive: at(tweet, "possibly_sensitive") === true && media.length > 0,
    pictures,
    losesMedia: pictures.length < media.length,
  };
}

/** More than a post here can have. */
const MOST_CHARACTERS = 30_000;

/** The text with the addresses that X shortened, without those of its own media, and with mentions as links to X. */
function markdownOf(text: string, tweet: unknown, media: readonly unknown[]): string {
  let plain = text.slice(0, MOST_CHARACTERS);
  for (const one of listAt(tweet, "entities", "urls").slice(0, 100)) {
    const url = webAddress(at(one, "expanded_url"));
    const short = stringAt(one, "url");
    // The address can contain shortened ones, which the next step would replace again.
    if (url && short) plain = plain.replaceAll(short, () => url).slice(0, MOST_CHARACTERS);
  }
  for (const one of media.slice(0, 20)) plain = plain.replaceAll(stringAt(one, "url") ?? "\0", "");
  // These are the only characters that X escapes.
  plain = plain.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
  const escaped = escapeMarkdown(plain.trim());
  return escaped.replace(/\\@((?:[A-Za-z0-9]|\\_){1,30})/g, (shown, name: string) => {
    const handle = name.replaceAll("\\", "");
    return handle.length > 15 ? shown : `[@${name}](https://x.com/${handle})`;
  });
}

function pictureOf(id: string, media: unknown): ArchivedPicture | null {
  const name = /\/([\w-]{1,100}\.(?:jpg|jpeg|png|webp))$/.exec(stringAt(media, "media_url_https") ?? "")?.[1];
  if (at(media, "type") !== "photo" || !name) return null;
  return { path: `${id}-${name}`, alt: null };
}

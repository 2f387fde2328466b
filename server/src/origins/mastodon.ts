import type { SkipReason } from "@tandem/contract/skip-reasons";
import type { FoundAudio, FoundMedia, RawItem } from "./clean/item.ts";
import { at, jsonOf, listAt, stringAt } from "./clean/json.ts";
import { plainOf } from "./clean/text.ts";
import { type Ask, type Connector, OriginError, type SourceAddress } from "./connector.ts";
import { pollJson } from "./poll.ts";
import { withPoll } from "./poll-options.ts";

/**
 * Posts with a hashtag, of an account, or of all local accounts of a Mastodon-compatible server. The score is the
 * favourites. A post keeps its content warning, behind which Mastodon folds it whether or not its media are marked as
 * sensitive. Skips accounts that opt out of indexing.
 */
export const mastodon: Connector = {
  platform: "mastodon",
  software: ["mastodon", "hometown", "glitchcafe", "pleroma", "akkoma", "gotosocial", "pixelfed"],

  recognize({ origin, hostname, pathname }) {
    const path = decoded(pathname).replace(/\/$/, "");
    const tag = /^\/tags\/([\p{L}\p{M}\p{N}_]{1,100})$/u.exec(path)?.[1];
    if (tag) return { url: `${origin}/tags/${encodeURIComponent(tag)}`, name: `#${tag}`, community: tag };
    const account = /^\/@([\w.-]{1,60}(?:@[\w.-]{1,200})?)$/.exec(path)?.[1];
    if (account) return { url: `${origin}/@${account}`, name: handleAt(hostname, account), community: null };
    const isWhole = ["", "/public", "/public/local", "/explore", "/about"].includes(path);
    return isWhole ? { url: `${origin}/public/local`, name: hostname, community: null } : null;
  },

  async poll(place, ask) {
    const { hostname } = new URL(place.url);
    return pollJson(ask, await timelineOf(place, ask), {
      list: [],
      toRawItem: (status) => rawItemOf(status, hostname, place.community),
      complete: true,
    });
  },
};

async function timelineOf({ url }: SourceAddress, ask: Ask): Promise<string> {
  const { origin, pathname } = new URL(url);
  const tag = /^\/tags\/(.+)$/.exec(pathname)?.[1];
  if (tag) return `${origin}/api/v1/timelines/tag/${tag}?limit=40`;
  const account = /^\/@(.+)$/.exec(pathname)?.[1];
  if (!account) return `${origin}/api/v1/timelines/public?local=true&limit=40`;
  const lookup = `${origin}/api/v1/accounts/lookup?acct=${encodeURIComponent(account)}`;
  const id = stringAt(jsonOf(await ask(lookup, { accept: "application/json", unconditional: true })), "id");
  if (!id) throw new OriginError("The account doesn't exist.");
  const which = "exclude_replies=true&exclude_reblogs=true&limit=40";
  return `${origin}/api/v1/accounts/${encodeURIComponent(id)}/statuses?${which}`;
}

function rawItemOf(status: unknown, host: string, community: string | null): RawItem {
  const account = at(status, "account");
  const attached = mediaAmong(listAt(status, "media_attachments"));
  const [media = null] = attached;
  const card = at(status, "card");
  return {
    skip: skipOf(status),
    key: at(status, "uri"),
    permalink: at(status, "url") ?? at(status, "uri"),
    link: media ? null : at(card, "url"),
    author: handleAt(host, stringAt(account, "acct") ?? "unknown"),
    authorAvatarUrl: at(account, "avatar"),
    body: textOf(status),
    contentWarning: at(status, "spoiler_text"),
    sensitive: at(status, "sensitive") === true,
    media,
    pictures: attached.filter(({ type }) => type === "image"),
    thumbnailUrl: media ? at(media, "preview") : at(card, "image"),
    community,
    audio: audioOf(status),
    score: at(status, "favourites_count"),
    commentCount: at(status, "replies_count"),
    provenance: at(account, "bot") === true ? "ai_generated" : null,
    postedAt: at(status, "created_at"),
  };
}

function skipOf(status: unknown): SkipReason | null {
  if (!["public", "unlisted"].includes(stringAt(status, "visibility") ?? "")) return "not_public";
  if (at(status, "reblog")) return "repost";
  return at(status, "account", "noindex") === true ? "opted_out" : null;
}

function textOf(status: unknown): string {
  const content = plainOf(at(status, "content"), stringAt(status, "url") ?? undefined);
  return withPoll(content, listAt(status, "poll", "options"), "title");
}

const kinds = new Map<unknown, FoundMedia["type"]>([
  ["image", "image"],
  ["video", "video"],
  ["gifv", "gif"],
]);

function mediaAmong(attachments: unknown[]): (FoundMedia & { preview: unknown })[] {
  return attachments.flatMap((one) => {
    const type = kinds.get(at(one, "type"));
    const size = at(one, "meta", "original");
    const found = {
      url: at(one, "url"),
      preview: at(one, "preview_url"),
      width: at(size, "width"),
      height: at(size, "height"),
      seconds: at(size, "duration"),
      alt: at(one, "description"),
    };
    return type ? [{ type, ...found }] : [];
  });
}

function audioOf(status: unknown): FoundAudio | null {
  const sound = listAt(status, "media_attachments").find((one) => at(one, "type") === "audio");
  return sound ? { url: at(sound, "url"), seconds: at(sound, "meta", "original", "duration") } : null;
}

/** Adds the server to a name, because names are unique per server. */
function handleAt(host: string, account: string): string {
  return account.includes("@") ? account : `${account}@${host}`;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

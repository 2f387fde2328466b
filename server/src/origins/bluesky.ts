import type { SkipReason } from "@tandem/contract/source-visits";
import type { FoundMedia, RawItem } from "./clean/item.ts";
import { at, jsonOf, listAt, numberOf, stringAt } from "./clean/json.ts";
import { type Ask, type Connector, OriginError, type SourceAddress } from "./connector.ts";
import { pollJson } from "./poll.ts";

const home = "https://bsky.app";
/** The public API, which needs no account. */
const appView = "https://public.api.bsky.app/xrpc";

/**
 * An account's posts without replies and reposts, or the posts of a feed generator. The score is the likes. Skips posts
 * labelled as adult content and accounts that ask not to be shown to logged-out users.
 */
export const bluesky: Connector = {
  platform: "bluesky",

  recognize({ hostname, pathname }) {
    if (hostname !== "bsky.app") return null;
    const [, actor, feed] =
      /^\/profile\/([\w.:-]{3,253})(?:\/feed\/([\w.~-]{1,100}))?\/?$/.exec(pathname) ?? [];
    if (!actor) return null;
    if (!feed) return { url: `${home}/profile/${actor}`, name: `@${actor}`, community: null };
    return { url: `${home}/profile/${actor}/feed/${feed}`, name: feed, community: feed };
  },

  async poll(place, ask) {
    const isFeed = place.url.includes("/feed/");
    return pollJson(ask, await listOf(place, ask), {
      list: ["feed"],
      toRawItem: (one) => rawItemOf(one, place.community),
      complete: !isFeed,
    });
  },
};

async function listOf({ url }: SourceAddress, ask: Ask): Promise<string> {
  const [actor = "", , feed] = new URL(url).pathname.split("/").slice(2);
  if (!feed) {
    const which = `actor=${encodeURIComponent(actor)}&filter=posts_no_replies&limit=50`;
    return `${appView}/app.bsky.feed.getAuthorFeed?${which}`;
  }
  const generator = `at://${await didOf(actor, ask)}/app.bsky.feed.generator/${feed}`;
  return `${appView}/app.bsky.feed.getFeed?feed=${encodeURIComponent(generator)}&limit=50`;
}

/** Resolves a handle to its DID. Handles can change, so feed generators are identified by DID. */
async function didOf(actor: string, ask: Ask): Promise<string> {
  if (actor.startsWith("did:")) return actor;
  const lookup = `${appView}/com.atproto.identity.resolveHandle?handle=${encodeURIComponent(actor)}`;
  const did = stringAt(jsonOf(await ask(lookup, { accept: "application/json", unconditional: true })), "did");
  if (!did) throw new OriginError("The account doesn't exist.");
  return did;
}

const adult = ["porn", "sexual", "nudity", "graphic-media", "gore", "!hide", "!warn"];

function skipOf(one: unknown): SkipReason | null {
  const post = at(one, "post");
  const labels = [...listAt(post, "labels"), ...listAt(post, "author", "labels")].map(
    (label) => stringAt(label, "val") ?? "",
  );
  if (at(one, "reason")) return "repost";
  if (labels.includes("!no-unauthenticated")) return "opted_out";
  return labels.some((label) => adult.includes(label)) ? "adult" : null;
}

function rawItemOf(one: unknown, community: string | null): RawItem {
  const post = at(one, "post");
  const author = at(post, "author");
  const handle = stringAt(author, "handle");
  const key = stringAt(post, "uri")?.split("/").at(-1);
  const embed = embedOf(post);
  const media = mediaOf(embed);
  return {
    skip: skipOf(one),
    key: at(post, "uri"),
    permalink: handle && key ? `${home}/profile/${handle}/post/${key}` : null,
    link: media ? null : at(embed, "external", "uri"),
    author: handle,
    authorAvatarUrl: at(author, "avatar"),
    body: textOf(at(post, "record")),
    media,
    thumbnailUrl: at(embed, "images", 0, "thumb") ?? at(embed, "thumbnail") ?? at(embed, "external", "thumb"),
    community,
    score: at(post, "likeCount"),
    provenance: isBot(author) ? "ai_generated" : null,
    postedAt: at(post, "record", "createdAt") ?? at(post, "indexedAt"),
  };
}

/** Whether the account labels itself as automated. The same label by others, such as labelers, doesn't count. */
function isBot(author: unknown): boolean {
  return listAt(author, "labels").some(
    (label) =>
      at(label, "val") === "bot" && at(label, "src") === at(author, "did") && at(label, "neg") !== true,
  );
}

/** A post's embedded media or link. With a quoted post, it is nested one level deeper. */
function embedOf(post: unknown): unknown {
  const embed = at(post, "embed");
  return at(embed, "media") ?? embed;
}

function mediaOf(embed: unknown): FoundMedia | null {
  const [picture] = listAt(embed, "images");
  if (picture) return { type: "image", url: at(picture, "fullsize"), ...mediaFactsOf(picture) };
  const video = at(embed, "playlist");
  if (video) return { type: "video", url: video, ...mediaFactsOf(embed) };
  const linked = stringAt(embed, "external", "uri") ?? "";
  return /^https:\/\/media\.tenor\.com\//.test(linked)
    ? { type: "gif", url: linked, alt: at(embed, "external", "description") }
    : null;
}

function mediaFactsOf(embed: unknown) {
  const { width, height } = {
    width: at(embed, "aspectRatio", "width"),
    height: at(embed, "aspectRatio", "height"),
  };
  return { width, height, alt: at(embed, "alt") };
}

/** The text with shortened links expanded. Facets give their positions in bytes. */
function textOf(record: unknown): string {
  let bytes = Buffer.from(stringAt(record, "text") ?? "");
  const links = listAt(record, "facets").flatMap((facet) => {
    const uri = listAt(facet, "features").map((feature) => stringAt(feature, "uri"))[0];
    const [start, end] = [numberOf(at(facet, "index", "byteStart")), numberOf(at(facet, "index", "byteEnd"))];
    return uri && start >= 0 && end > start && end <= bytes.length ? [{ uri, start, end }] : [];
  });
  for (const { uri, start, end } of links.toSorted((a, b) => b.start - a.start).slice(0, 50)) {
    const linkText = bytes.subarray(start, end).toString();
    const whole = uri.includes(linkText.replace(/(…|\.\.\.)$/, "")) ? uri : `${linkText} (${uri})`;
    bytes = Buffer.concat([bytes.subarray(0, start), Buffer.from(whole), bytes.subarray(end)]);
  }
  return bytes.toString();
}

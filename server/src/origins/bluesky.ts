import type { SkipReason } from "@tandem/contract/skip-reasons";
import { home, nameIn, quotedRecord, recordPage, recordPageOf } from "./bluesky-records.ts";
import type { FoundMedia, RawItem } from "./clean/item.ts";
import { at, jsonOf, listAt, numberOf, stringAt } from "./clean/json.ts";
import { timeOrNull } from "./clean/time.ts";
import { type Ask, type Connector, OriginError, type SourceAddress } from "./connector.ts";
import { pollJson } from "./poll.ts";

/** The public API, which needs no account. */
export const appView = "https://public.api.bsky.app/xrpc";

/**
 * An account's posts without replies and reposts, or the posts of a feed generator. The score is the likes. Posts that are
 * labelled as adult content, or quote such a record, are sensitive. Skips those that moderators hide, and accounts that ask
 * not to be shown to logged-out users.
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

const adult = ["porn", "sexual", "nudity", "graphic-media", "gore"];
/** Labels of moderators, for posts that apps hide or warn of as a whole. */
const moderated = ["!hide", "!warn"];

function skipOf(one: unknown): SkipReason | null {
  const post = at(one, "post");
  if (isRepost(one)) return "repost";
  return hiddenFor(labelsOf(post));
}

function rawItemOf(one: unknown, community: string | null): RawItem {
  const post = at(one, "post");
  const author = at(post, "author");
  const embed = embedOf(post);
  const media = mediaOf(embed);
  const external = media ? null : stringAt(embed, "external", "uri");
  const quote = quotedRecord(at(post, "embed"));
  const quoteLabels = labelsOf(quote);
  // What apps hide has no link here, which would get a preview.
  const quoted = hasLabel(quoteLabels, moderated) ? null : recordPageOf(quote);
  const hasOther = media !== null || external !== null;
  const text = bodyOfPost(post);
  return {
    skip: skipOf(one),
    key: at(post, "uri"),
    permalink: pageOf(post),
    link: external ?? (hasOther ? null : quoted),
    author: nameIn(author),
    authorAvatarUrl: at(author, "avatar"),
    title: text === "" && external ? at(embed, "external", "title") : null,
    // A post has one link, so a quote beside another is a line of the text.
    body: hasOther && quoted ? `${text}\n\n${quoted}` : text,
    media,
    pictures: picturesOf(embed),
    thumbnailUrl: at(embed, "images", 0, "thumb") ?? at(embed, "thumbnail") ?? at(embed, "external", "thumb"),
    sensitive: hasLabel([...labelsOf(post), ...quoteLabels], adult),
    community,
    score: at(post, "likeCount"),
    commentCount: at(post, "replyCount"),
    provenance: isBot(author) ? "ai_generated" : null,
    postedAt: postedAt(post),
  };
}

/** Pinned posts have a reason too, but are the account's own. */
function isRepost(one: unknown): boolean {
  const reason = at(one, "reason");
  return reason != null && !stringAt(reason, "$type")?.endsWith("#reasonPin");
}

/** Why a reply isn't shown to visitors: its labels, or what its author asks for. Null if it is. */
export function unshownFor(post: unknown): SkipReason | null {
  const labels = labelsOf(post);
  return hiddenFor(labels) ?? (hasLabel(labels, adult) ? "adult" : null);
}

function hiddenFor(labels: unknown[]): SkipReason | null {
  if (labels.includes("!no-unauthenticated")) return "opted_out";
  return hasLabel(labels, moderated) ? "adult" : null;
}

function hasLabel(labels: unknown[], some: readonly string[]): boolean {
  return labels.some((label) => typeof label === "string" && some.includes(label));
}

/** The labels of a record and its author that hold, and those that the author gave it. Quoted records have them elsewhere. */
function labelsOf(record: unknown): unknown[] {
  const all = [
    ...listAt(record, "labels"),
    ...listAt(record, "author", "labels"),
    ...listAt(record, "creator", "labels"),
  ];
  const nameOf = (label: unknown) => JSON.stringify([at(label, "src"), at(label, "uri"), at(label, "val")]);
  const negated = new Set(all.filter((label) => at(label, "neg") === true).map(nameOf));
  const valid = all.filter((label) => !negated.has(nameOf(label)));
  const own = [
    ...listAt(record, "record", "labels", "values"),
    ...listAt(record, "value", "labels", "values"),
  ];
  return [...valid, ...own].map((label) => at(label, "val"));
}

/** A post's page. */
export function pageOf(post: unknown): string | null {
  return recordPage(stringAt(post, "uri"), at(post, "author"));
}

/** Authors can state any time, so a post isn't younger than its arrival. */
export function postedAt(post: unknown): number | null {
  const times = [at(post, "record", "createdAt"), at(post, "indexedAt")].map(timeOrNull);
  const known = times.filter((time) => time !== null);
  return known.length > 0 ? Math.min(...known) : null;
}

/** Whether the account labels itself as automated. The same label by others, such as labelers, doesn't count. */
export function isBot(author: unknown): boolean {
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

function picturesOf(embed: unknown): FoundMedia[] {
  return listAt(embed, "images").map((picture) => ({
    type: "image",
    url: at(picture, "fullsize"),
    ...mediaFactsOf(picture),
  }));
}

function mediaOf(embed: unknown): FoundMedia | null {
  const [picture] = picturesOf(embed);
  if (picture) return picture;
  const video = at(embed, "playlist");
  if (video) return { type: "video", url: video, ...mediaFactsOf(embed) };
  const linked = stringAt(embed, "external", "uri") ?? "";
  if (!/^https:\/\/media\.tenor\.com\//.test(linked) || !URL.canParse(linked)) return null;
  const { searchParams } = new URL(linked);
  const alt = stringAt(embed, "external", "description")?.replace(/^alt:\s*/i, "");
  return { type: "gif", url: linked, width: searchParams.get("ww"), height: searchParams.get("hh"), alt };
}

function mediaFactsOf(embed: unknown) {
  const { width, height } = {
    width: at(embed, "aspectRatio", "width"),
    height: at(embed, "aspectRatio", "height"),
  };
  return { width, height, alt: at(embed, "alt") };
}

/** The text with shortened links expanded. Facets give their positions in bytes. */
export function bodyOfPost(post: unknown): string {
  const record = at(post, "record");
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

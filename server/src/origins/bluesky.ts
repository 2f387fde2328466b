import type { FoundMedia, RawItem } from "./clean/item.ts";
import { at, jsonOf, listAt, numberOf, stringAt } from "./clean/json.ts";
import { type Ask, type Connector, OriginError, type Place } from "./connector.ts";
import { visitJson } from "./visit.ts";

const home = "https://bsky.app";
/** Answers whoever asks, without an account. */
const appView = "https://public.api.bsky.app/xrpc";

/**
 * What an account posts, replies and reposts left out, or what a feed generator has chosen. Likes are the score. What is
 * labelled as not for everybody is left out, and so is who wants to be read by none but those who signed in there.
 */
export const bluesky: Connector = {
  platform: "bluesky",

  recognise({ hostname, pathname }) {
    if (hostname !== "bsky.app") return null;
    const [, actor, feed] =
      /^\/profile\/([\w.:-]{3,253})(?:\/feed\/([\w.~-]{1,100}))?\/?$/.exec(pathname) ?? [];
    if (!actor) return null;
    if (!feed) return { url: `${home}/profile/${actor}`, name: `@${actor}`, community: null };
    return { url: `${home}/profile/${actor}/feed/${feed}`, name: feed, community: feed };
  },

  async gather(place, ask) {
    const isFeed = place.url.includes("/feed/");
    return visitJson(ask, await listOf(place, ask), {
      list: ["feed"],
      draft: (one) => draftOf(one, place.community),
      complete: !isFeed,
    });
  },
};

async function listOf({ url }: Place, ask: Ask): Promise<string> {
  const [actor = "", , feed] = new URL(url).pathname.split("/").slice(2);
  if (!feed) {
    const which = `actor=${encodeURIComponent(actor)}&filter=posts_no_replies&limit=50`;
    return `${appView}/app.bsky.feed.getAuthorFeed?${which}`;
  }
  const generator = `at://${await didOf(actor, ask)}/app.bsky.feed.generator/${feed}`;
  return `${appView}/app.bsky.feed.getFeed?feed=${encodeURIComponent(generator)}&limit=50`;
}

/** Handles change, and generators are named by what doesn't. */
async function didOf(actor: string, ask: Ask): Promise<string> {
  if (actor.startsWith("did:")) return actor;
  const lookup = `${appView}/com.atproto.identity.resolveHandle?handle=${encodeURIComponent(actor)}`;
  const did = stringAt(jsonOf(await ask(lookup, { accept: "application/json", anew: true })), "did");
  if (!did) throw new OriginError("There is no such account.");
  return did;
}

const adult = ["porn", "sexual", "nudity", "graphic-media", "gore", "!hide", "!warn", "!no-unauthenticated"];

function draftOf(one: unknown, community: string | null): RawItem | null {
  const post = at(one, "post");
  const author = at(post, "author");
  const labels = [...listAt(post, "labels"), ...listAt(author, "labels")].map(
    (label) => stringAt(label, "val") ?? "",
  );
  if (at(one, "reason") || labels.some((label) => adult.includes(label))) return null;
  const handle = stringAt(author, "handle");
  const key = stringAt(post, "uri")?.split("/").at(-1);
  const embed = embedOf(post);
  const media = mediaOf(embed);
  return {
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
    postedAt: at(post, "record", "createdAt") ?? at(post, "indexedAt"),
  };
}

/** What is shown with a post; beside a quoted one it stands a step deeper. */
function embedOf(post: unknown): unknown {
  const embed = at(post, "embed");
  return at(embed, "media") ?? embed;
}

function mediaOf(embed: unknown): FoundMedia | null {
  const [picture] = listAt(embed, "images");
  if (picture) return { type: "image", url: at(picture, "fullsize"), ...about(picture) };
  const video = at(embed, "playlist");
  if (video) return { type: "video", url: video, ...about(embed) };
  const linked = stringAt(embed, "external", "uri") ?? "";
  return /^https:\/\/media\.tenor\.com\//.test(linked)
    ? { type: "gif", url: linked, alt: at(embed, "external", "description") }
    : null;
}

function about(shown: unknown) {
  const { width, height } = {
    width: at(shown, "aspectRatio", "width"),
    height: at(shown, "aspectRatio", "height"),
  };
  return { width, height, alt: at(shown, "alt") };
}

/** The text, with addresses whole that it shows shortened: where they stand is counted in bytes. */
function textOf(record: unknown): string {
  let bytes = Buffer.from(stringAt(record, "text") ?? "");
  const links = listAt(record, "facets").flatMap((facet) => {
    const uri = listAt(facet, "features").map((feature) => stringAt(feature, "uri"))[0];
    const [start, end] = [numberOf(at(facet, "index", "byteStart")), numberOf(at(facet, "index", "byteEnd"))];
    return uri && start >= 0 && end > start && end <= bytes.length ? [{ uri, start, end }] : [];
  });
  for (const { uri, start, end } of links.toSorted((a, b) => b.start - a.start).slice(0, 50)) {
    const shown = bytes.subarray(start, end).toString();
    const whole = uri.includes(shown.replace(/(…|\.\.\.)$/, "")) ? uri : `${shown} (${uri})`;
    bytes = Buffer.concat([bytes.subarray(0, start), Buffer.from(whole), bytes.subarray(end)]);
  }
  return bytes.toString();
}

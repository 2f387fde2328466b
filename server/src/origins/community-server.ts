import type { RawItem } from "./clean/item.ts";
import { at, jsonOf } from "./clean/json.ts";
import type { Ask, PollResult, SourceAddress } from "./connector.ts";
import { pollResultOf, unchangedResult } from "./poll.ts";

/* What Lemmy and PieFed have in common: their addresses, and the shape of a list of posts. */

/** A community, local or of another server, or the whole server. */
export function recognizeCommunity({ origin, hostname, pathname }: URL): SourceAddress | null {
  const community = /^\/c\/(\w{2,60}(?:@[\w.-]+)?)\/?$/.exec(pathname)?.[1];
  if (community) {
    const name = community.includes("@") ? `!${community}` : `!${community}@${hostname}`;
    return { url: `${origin}/c/${community}`, name, community: community.split("@")[0] ?? community };
  }
  return pathname === "/" ? { url: `${origin}/`, name: hostname, community: null } : null;
}

/** The source's server, and its community as the API calls it; null for all posts of the server's own communities. */
export function communityAt(url: string): { origin: string; community: string | null } {
  const { origin, pathname } = new URL(url);
  return { origin, community: /^\/c\/(.+)$/.exec(pathname)?.[1] ?? null };
}

/** Polls a list of views: objects with a `post`, its `creator`, `community` and mostly `counts`. */
export async function pollPosts(
  ask: Ask,
  url: string,
  toRawItem: (view: unknown) => RawItem,
): Promise<PollResult> {
  const response = await ask(url, { accept: "application/json" });
  if (response.status === 304) return unchangedResult(response);
  const all = jsonOf(response);
  // Lemmy's v4 API calls the list `items`, all others `posts`.
  const list = at(all, "items") ? "items" : "posts";
  return pollResultOf(response, all, { list: [list], toRawItem, isGone, complete: true });
}

function isGone(view: unknown): boolean {
  return at(view, "post", "removed") === true || at(view, "post", "deleted") === true;
}

/** Whether the post or its community is marked as sensitive; PieFed has two marks. */
function isSensitive(view: unknown): boolean {
  const marked = [at(view, "post", "nsfw"), at(view, "post", "nsfl"), at(view, "community", "nsfw")];
  return marked.includes(true);
}

/** The fields that have the same name everywhere. */
export function commonFields(view: unknown) {
  const post = at(view, "post");
  return {
    key: at(post, "ap_id"),
    permalink: at(post, "ap_id"),
    authorAvatarUrl: at(view, "creator", "avatar"),
    body: at(post, "body"),
    thumbnailUrl: at(post, "thumbnail_url"),
    sensitive: isSensitive(view),
    community: at(view, "community", "name"),
  } satisfies Partial<RawItem>;
}

/** `name@host`; the host is that of the account's address. */
export function accountName(name: string | null, address: string | null): string | null {
  return name && address && URL.canParse(address) ? `${name}@${new URL(address).host}` : name;
}

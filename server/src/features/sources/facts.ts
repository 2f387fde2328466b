import { createHash } from "node:crypto";
import { limits } from "@tandem/contract/limits";
import type { OriginPlatform } from "@tandem/contract/origins";
import type { Item } from "../../origins/connector.ts";
import { type PostFacts, postDefaults, toFragment } from "../../storage/post-fragment.ts";

/** Of a source, what its posts say. */
export interface Origin {
  platform: OriginPlatform;
  name: string;
  community: string | null;
}

/** An item whose time is settled. */
export type DatedItem = Item & { postedAt: number };

/** An item as a post. What the origin doesn't say of its making counts as a person's. */
export function factsOf(item: DatedItem, { platform, name, community }: Origin): PostFacts {
  const { mediaType, link, permalink } = item;
  return {
    ...postDefaults,
    platform,
    author: item.author,
    authorIsAgent: false,
    authorAvatarUrl: item.authorAvatarUrl,
    title: item.title === null ? null : cut(item.title, limits.postTitle),
    body: item.body === null ? null : cut(item.body, limits.postBody),
    mediaType,
    mediaUrl: item.mediaUrl,
    thumbnailUrl: item.thumbnailUrl,
    url: mediaType === "link" ? (link ?? permalink) : permalink,
    community: item.community ?? community,
    width: item.width,
    height: item.height,
    durationSeconds: item.durationSeconds,
    alt: item.alt,
    sourceName: name,
    provenance: "human",
    postedAt: new Date(item.postedAt).toISOString(),
  };
}

/**
 * Differs where anything that the post says has changed; but for its time, which an origin may not tell, and for where it
 * was seen, which is another place with every source that shows it.
 */
export function digestOf(facts: PostFacts): string {
  return createHash("sha256")
    .update(toFragment({ ...facts, postedAt: "", sourceName: null, community: null }))
    .digest("base64url")
    .slice(0, 22);
}

/** What is known of a post beyond its origin stays: its card, its products, who wrote it, and where it was found first. */
export function updated(old: PostFacts, fresh: PostFacts): PostFacts {
  const { author, products, editedAt, provenance, sourceName, community } = old;
  const sameLink = old.url === fresh.url;
  return {
    ...fresh,
    author,
    products,
    editedAt,
    provenance,
    sourceName,
    community,
    card: sameLink ? old.card : null,
    ...(sameLink && fresh.thumbnailUrl === null && thumbnailOf(old)),
    postedAt: old.postedAt,
  };
}

function thumbnailOf({ thumbnailUrl, thumbHash }: PostFacts) {
  return { thumbnailUrl, thumbHash };
}

/** The first so many characters; none of them is cut in half. */
function cut(text: string, length: number): string {
  // A string has no fewer units than characters.
  if (text.length <= length) return text;
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join("")}…`;
}

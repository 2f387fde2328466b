import { createHash } from "node:crypto";
import { limits } from "@tandem/contract/limits";
import type { OriginPlatform } from "@tandem/contract/origins";
import type { Item } from "../../origins/connector.ts";
import { type PostFacts, postDefaults, toFragment } from "../../storage/post-fragment.ts";
import {
  authorshipIn,
  importedAuthorship,
  reimportedAuthorship,
  withStatement,
} from "../shared/authorship.ts";

/** The facts of a source that its posts contain. */
export interface Origin {
  platform: OriginPlatform;
  name: string;
  community: string | null;
}

/** An item whose time is known or assumed. */
export type DatedItem = Item & { postedAt: number };

/** Converts an item to a post's facts. */
export function factsOf(item: DatedItem, { platform, name, community }: Origin): PostFacts {
  const { mediaType, link, permalink, audioUrl, pictures, contentWarning, sensitive } = item;
  return {
    ...postDefaults,
    platform,
    author: item.author,
    authorIsAgent: false,
    authorAvatarUrl: item.authorAvatarUrl,
    title: item.title === null ? null : truncate(item.title, limits.postTitle),
    body: item.body === null ? null : truncate(item.body, limits.postBody),
    mediaType,
    mediaUrl: item.mediaUrl,
    ...(audioUrl !== null && { audioUrl }),
    thumbnailUrl: item.thumbnailUrl,
    url: mediaType === "link" ? (link ?? permalink) : permalink,
    community: item.community ?? community,
    width: item.width,
    height: item.height,
    durationSeconds: item.durationSeconds,
    alt: item.alt,
    ...(pictures.length > 0 && { pictures }),
    ...(contentWarning !== null && { contentWarning }),
    ...(sensitive && { sensitive }),
    sourceName: name,
    ...importedAuthorship(item.provenance),
    postedAt: new Date(item.postedAt).toISOString(),
  };
}

/**
 * A hash that changes with what an update can change. Leaves out the time, which an origin may not provide, and the author,
 * the source's name and its community, which differ between sources that show the same item.
 */
export function digestOf(facts: PostFacts): string {
  return createHash("sha256")
    .update(toFragment({ ...facts, author: "", postedAt: "", sourceName: null, community: null }))
    .digest("base64url")
    .slice(0, 22);
}

/**
 * Updates a post's facts from its origin, but keeps its card, products, author and where it was found first. What another
 * server said about AI ends when the item's home server takes the item over.
 */
export function mergeFacts(old: PostFacts, imported: PostFacts, isTakenOver: boolean): PostFacts {
  const { author, products, editedAt, sourceName, community } = old;
  const sameLink = old.url === imported.url;
  const card = sameLink ? old.card : null;
  const authorship = isTakenOver ? authorshipIn(imported) : reimportedAuthorship(old, imported);
  return {
    ...imported,
    author,
    products,
    editedAt,
    ...withStatement(authorship, card?.provenance),
    sourceName,
    community,
    card,
    ...(sameLink && imported.thumbnailUrl === null && thumbnailOf(old)),
    postedAt: old.postedAt,
  };
}

function thumbnailOf({ thumbnailUrl, thumbHash }: PostFacts) {
  return { thumbnailUrl, thumbHash };
}

/** The first `length` code points. */
function truncate(text: string, length: number): string {
  // A string never has fewer UTF-16 code units than code points.
  if (text.length <= length) return text;
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join("")}…`;
}

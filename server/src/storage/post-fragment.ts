import { nativePlatform } from "@tandem/contract/origins";
import { type PostFragment, postFragment } from "@tandem/contract/post-resources";

/** A post's stored JSON: all but its id, counters and per-caller flags such as `liked`. */
export type PostFacts = Omit<PostFragment, "id">;

const fields = Object.keys(postFragment).filter((name) => name !== "id") as (keyof PostFacts)[];

/**
 * Serializes a post for the `posts.fragment` column: the text between `{"id":7` and the counters. It is stored
 * serialized so that reading a page concatenates text instead of building objects, and must be rewritten in every
 * transaction that changes the post.
 */
export function toFragment(facts: PostFacts): string {
  return `,${JSON.stringify(inOrder(facts)).slice(1, -1)}`;
}

/** Only the contract's fields, in the contract's order. */
function inOrder(facts: PostFacts): object {
  return Object.fromEntries(fields.map((name) => [name, facts[name]]));
}

export function fromFragment(fragment: string): PostFacts {
  return JSON.parse(`{${fragment.slice(1)}}`) as PostFacts;
}

/** An author's display name, as posts and comments show it. */
export function authorNameOf(displayName: string | null): { authorName?: string } {
  return displayName === null ? {} : { authorName: displayName };
}

/** Values of the fields that most posts don't use. */
export const postDefaults = {
  platform: nativePlatform,
  body: null,
  mediaType: "text",
  mediaUrl: null,
  thumbnailUrl: null,
  url: null,
  card: null,
  community: null,
  width: null,
  height: null,
  durationSeconds: null,
  alt: null,
  thumbHash: null,
  originalUrl: null,
  mediaState: null,
  authorAvatarUrl: null,
  sourceName: null,
  editedAt: null,
  products: [],
} satisfies Partial<PostFacts>;

/** Sets a post's link. A text or link post then shows the link, without its old preview; others keep their media. */
export function withLink(facts: PostFacts, url: string | null): PostFacts {
  if (!showsLink(facts)) return { ...facts, url };
  const cleared = url === facts.url ? {} : { card: null, thumbnailUrl: null, thumbHash: null };
  return { ...facts, ...cleared, url, mediaUrl: url, mediaType: url === null ? "text" : "link" };
}

/** Whether this post shows its link, or would if it had one. */
export function showsLink({ mediaType }: Pick<PostFacts, "mediaType">): boolean {
  return mediaType === "text" || mediaType === "link";
}

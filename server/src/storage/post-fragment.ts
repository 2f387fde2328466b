import { nativePlatform } from "@tandem/contract/origins";
import { type PostFragment, postFragment } from "@tandem/contract/resources";

/** A post's lasting facts: all of its JSON but the id, its counters and the caller's flags. */
export type PostFacts = Omit<PostFragment, "id">;

const fields = Object.keys(postFragment).filter((name) => name !== "id") as (keyof PostFacts)[];

/**
 * The text that a post's row keeps ready, so that reading a page turns no row into an object: what stands
 * between `{"id":7` and the counters. Rewritten in the transaction that changes the post.
 */
export function toFragment(facts: PostFacts): string {
  return `,${JSON.stringify(inOrder(facts)).slice(1, -1)}`;
}

/** The contract's fields in the contract's order, and nothing else. */
function inOrder(facts: PostFacts): object {
  return Object.fromEntries(fields.map((name) => [name, facts[name]]));
}

export function fromFragment(fragment: string): PostFacts {
  return JSON.parse(`{${fragment.slice(1)}}`) as PostFacts;
}

/** Facts that most posts don't have. */
export const plainPost = {
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

/** A link post shows its link, and what is known of it; any other keeps its own media. */
export function withLink(facts: PostFacts, url: string | null): PostFacts {
  if (!showsLink(facts)) return { ...facts, url };
  const shown = url === facts.url ? {} : { card: null, thumbnailUrl: null, thumbHash: null };
  return { ...facts, ...shown, url, mediaUrl: url, mediaType: url === null ? "text" : "link" };
}

/** Whether a link of this post is what it shows, or would be. */
export function showsLink({ mediaType }: Pick<PostFacts, "mediaType">): boolean {
  return mediaType === "text" || mediaType === "link";
}

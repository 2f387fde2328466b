import type { PostOrigin } from "@tandem/contract/post-resources";
import type { Item } from "../../origins/connector.ts";

type OriginFacts = Pick<Item, "thread" | "permalink" | "score" | "commentCount">;

/** Where an item is at its origin, and its counts there; null if it has no page there. */
export function originOf({ thread, permalink, score, commentCount }: OriginFacts): PostOrigin | null {
  const url = thread ?? permalink;
  return url === null ? null : { url, score, commentCount };
}

/** A post's stored origin, updated with what a visit found. What the visit doesn't say stays. */
export function mergeOrigin(stored: string | null, { thread, permalink, score, commentCount }: OriginFacts) {
  const old = stored === null ? null : (JSON.parse(stored) as PostOrigin);
  const origin = originOf({
    thread: thread ?? permalink ?? old?.url ?? null,
    permalink: null,
    score: score ?? old?.score ?? null,
    commentCount: commentCount ?? old?.commentCount ?? null,
  });
  return origin && JSON.stringify(origin);
}

import type { Comment } from "@tandem/contract/resources";

/** A comment at its place among the others. */
export interface Place {
  comment: Comment;
  /** 0 for what isn't a reply. */
  depth: number;
  /** What is drawn indented beneath it. */
  replies: Place[];
  /** How many comments are beneath it, at any depth. */
  below: number;
  /** What it answers, where that isn't what it is drawn beneath. */
  answers: Comment | null;
}

/** Levels of a thread that are indented. What is deeper stays at the last one, or a phone would have no room for it. */
export const LEVELS = 6;

/** Comments as threads. They come oldest first, so each after what it answers; what that is, may be on no page. */
export function threadsOf(comments: readonly Comment[]): Place[] {
  const places = new Map<number, Place>();
  const hosts = new Map<Place, Place>();
  const roots: Place[] = [];
  for (const comment of comments) {
    const parent = comment.parentId === null ? undefined : places.get(comment.parentId);
    const host = parent && parent.depth === LEVELS - 1 ? hosts.get(parent) : parent;
    const place: Place = {
      comment,
      depth: host ? host.depth + 1 : 0,
      replies: [],
      below: 0,
      answers: parent && parent !== host ? parent.comment : null,
    };
    places.set(comment.id, place);
    if (host) hosts.set(place, host);
    (host?.replies ?? roots).push(place);
  }
  for (const place of [...places.values()].reverse()) {
    const host = hosts.get(place);
    if (host) host.below += 1 + place.below;
  }
  return roots;
}

/** The comments that one is drawn beneath, from the nearest on; empty where there is no such comment. */
export function above(id: number, threads: readonly Place[]): number[] {
  for (const place of threads) {
    if (place.comment.id === id) return [];
    if (place.replies.length === 0) continue;
    const found = above(id, place.replies);
    if (found.length > 0 || place.replies.some(({ comment }) => comment.id === id))
      return [...found, place.comment.id];
  }
  return [];
}

import { setImmediate as turn } from "node:timers/promises";
import { limits } from "@tandem/contract/limits";
import type { OriginComment } from "@tandem/contract/origin-comments";
import { webAddress } from "../clean/address.ts";
import { scoreOf } from "../clean/item.ts";
import { nameOf, textOf } from "../clean/text.ts";
import { timeOrNull } from "../clean/time.ts";
import type { Ask } from "../connector.ts";

/** A comment as its platform gives it: text is plain, but nothing is validated or bounded yet. */
export interface RawComment<Found> {
  author?: unknown;
  body?: unknown;
  score?: unknown;
  postedAt?: unknown;
  url?: unknown;
  /** Whether the platform marks its author as a bot. */
  isBot?: boolean;
  /** The replies to it, best first. */
  replies?: Found[];
  /** Deleted, removed or not for everyone: left out, with its replies one level up. */
  isLeftOut?: boolean;
}

export type ThreadComment = Omit<OriginComment, "hidden" | "muted">;

/**
 * Reads the comments on a post, each before its replies; null if the URL isn't that of a thread. Throws `OriginError` and
 * `OutgoingError`.
 */
export type ReadThread = (url: URL, ask: Ask) => Promise<ThreadComment[] | null>;

/** Characters of all comments together, so that a cached thread stays small. */
const MAX_LENGTH = 200_000;
/** Comments that are looked at, including those that are left out. */
const MAX_SEEN = 10 * limits.originComments;
/** Deeper replies count as this deep. */
const MAX_DEPTH = 50;

/** Validates and bounds the comments of a thread, yielding to other work in between. */
export async function cleanThread<Found>(
  found: readonly Found[],
  toRawComment: (one: Found) => RawComment<Found>,
): Promise<ThreadComment[]> {
  const comments: ThreadComment[] = [];
  let length = 0;
  // The next one is last. No recursion, because a hostile thread could be very deep.
  const waiting = found.slice(0, MAX_SEEN).map((one) => ({ one, depth: 0 }));
  waiting.reverse();
  for (let seen = 0; seen < MAX_SEEN && comments.length < limits.originComments; seen++) {
    const next = waiting.pop();
    if (!next) break;
    const raw = toRawComment(next.one);
    const comment = raw.isLeftOut ? null : commentOf(raw, next.depth);
    length += comment?.body.length ?? 0;
    if (length > MAX_LENGTH) break;
    if (comment) comments.push(comment);
    const depth = comment ? Math.min(next.depth + 1, MAX_DEPTH) : next.depth;
    for (const one of (raw.replies ?? []).slice(0, MAX_SEEN).reverse()) waiting.push({ one, depth });
    await turn();
  }
  return comments;
}

/** Null without text. */
function commentOf(raw: RawComment<unknown>, depth: number): ThreadComment | null {
  const body = textOf(raw.body, limits.commentBody);
  if (body === null) return null;
  const postedAt = timeOrNull(raw.postedAt);
  return {
    author: nameOf(raw.author) ?? "unknown",
    body,
    score: scoreOf(raw.score),
    postedAt: postedAt === null ? null : new Date(postedAt).toISOString(),
    depth,
    url: webAddress(raw.url),
    provenance: raw.isBot ? "ai_generated" : null,
  };
}

/** A comment of a flat list, with the replies to it. */
export interface TreeNode {
  one: unknown;
  replies: TreeNode[];
}

/** Arranges a flat list into trees, in its order. A reply whose parent isn't listed counts as a comment on the post. */
export function treesOf(
  list: readonly unknown[],
  idsOf: (one: unknown) => { id: string | null; parent: string | null },
): TreeNode[] {
  const known = new Map<string, TreeNode & { parent: string | null }>();
  for (const one of list.slice(0, MAX_SEEN)) {
    const { id, parent } = idsOf(one);
    if (id !== null && !known.has(id)) known.set(id, { one, replies: [], parent });
  }
  const roots: TreeNode[] = [];
  for (const node of known.values()) {
    const parent = node.parent === null ? undefined : known.get(node.parent);
    (parent?.replies ?? roots).push(node);
  }
  return roots;
}

import type { Comment, CommentOrder } from "@tandem/contract/post-resources";

/** A comment in the tree. */
export interface CommentNode {
  comment: Comment;
  /** 0 for top-level comments. */
  depth: number;
  /** The replies shown indented below it. */
  replies: CommentNode[];
  /** The number of comments below it, at any depth. */
  descendantCount: number;
  /** The comment that it replies to, if it isn't shown below that one. */
  replyTo: Comment | null;
}

/**
 * The deepest level of indentation. Deeper replies stay at this level, because phones have no room for more.
 */
export const MAX_DEPTH = 6;

const comparators: Record<CommentOrder, (one: Comment, other: Comment) => number> = {
  old: (one, other) => one.id - other.id,
  new: (one, other) => other.id - one.id,
  best: (one, other) => other.likeCount - one.likeCount || one.id - other.id,
};

/**
 * Builds threads from comments, with the replies at each level in the given order. A reply whose parent isn't
 * loaded becomes a top-level comment.
 */
export function buildThreads(comments: readonly Comment[], order: CommentOrder = "old"): CommentNode[] {
  const nodes = new Map<number, CommentNode>();
  const parents = new Map<CommentNode, CommentNode>();
  const roots: CommentNode[] = [];
  // Oldest first, so that parents precede their replies.
  for (const comment of comments.toSorted(comparators.old)) {
    const parent = comment.parentId === null ? undefined : nodes.get(comment.parentId);
    const drawnParent = parent && parent.depth === MAX_DEPTH - 1 ? parents.get(parent) : parent;
    const node: CommentNode = {
      comment,
      depth: drawnParent ? drawnParent.depth + 1 : 0,
      replies: [],
      descendantCount: 0,
      replyTo: parent && parent !== drawnParent ? parent.comment : null,
    };
    nodes.set(comment.id, node);
    if (drawnParent) parents.set(node, drawnParent);
    (drawnParent?.replies ?? roots).push(node);
  }
  for (const node of [...nodes.values()].reverse()) {
    const drawnParent = parents.get(node);
    if (drawnParent) drawnParent.descendantCount += 1 + node.descendantCount;
  }
  const sort = (siblings: CommentNode[]) =>
    siblings.sort((one, other) => comparators[order](one.comment, other.comment));
  for (const { replies } of nodes.values()) sort(replies);
  return sort(roots);
}

/** Ids of a comment's ancestors, nearest first; empty if the comment isn't there. */
export function ancestorsOf(id: number, threads: readonly CommentNode[]): number[] {
  for (const node of threads) {
    if (node.comment.id === id) return [];
    if (node.replies.length === 0) continue;
    const found = ancestorsOf(id, node.replies);
    if (found.length > 0 || node.replies.some(({ comment }) => comment.id === id))
      return [...found, node.comment.id];
  }
  return [];
}

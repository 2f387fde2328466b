import type { Comment } from "@tandem/contract/resources";

/** A comment at its place among the others. */
export interface CommentNode {
  comment: Comment;
  /** 0 for what isn't a reply. */
  depth: number;
  /** What is drawn indented beneath it. */
  replies: CommentNode[];
  /** How many comments are beneath it, at any depth. */
  descendantCount: number;
  /** What it answers, where that isn't what it is drawn beneath. */
  replyTo: Comment | null;
}

/** Levels of a thread that are indented. What is deeper stays at the last one, or a phone would have no room for it. */
export const MAX_DEPTH = 6;

/** Comments as threads. They come oldest first, so each after what it answers; what that is, may be on no page. */
export function buildThreads(comments: readonly Comment[]): CommentNode[] {
  const nodes = new Map<number, CommentNode>();
  const parents = new Map<CommentNode, CommentNode>();
  const roots: CommentNode[] = [];
  for (const comment of comments) {
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
  return roots;
}

/** The comments that one is drawn beneath, from the nearest on; empty where there is no such comment. */
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

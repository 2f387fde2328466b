import { TandemError } from "@tandem/client";
import type { Draft } from "@tandem/contract/drafts";

export type Gone = "post" | "comment" | "product" | "quote" | "other";

/**
 * What a draft is about that no longer exists, so that it can't be published; null if all of it is there.
 *
 * @param error why publishing it has failed
 */
export function goneOf(draft: Draft, error: Error | null): Gone | null {
  const { postId, commentId, parentId, productId, productIds, quoteId } = draft;
  const { post, comment, products, quote, before } = draft;
  if (postId !== null && post === null) return "post";
  if ((parentId ?? commentId) !== null && comment === null && before === null) return "comment";
  if (productId !== null && before === null) return "product";
  if (productIds && products && products.length < productIds.length) return "product";
  if (quoteId !== null && quote === null) return "quote";
  return isNotFound(error) ? "other" : null;
}

const isNotFound = (error: Error | null) => error instanceof TandemError && error.status === 404;

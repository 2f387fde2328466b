import { TandemError } from "@tandem/client";
import type { Draft } from "@tandem/contract/drafts";

export type Gone = "post" | "comment" | "product" | "quote" | "other";

/**
 * What a draft is about that no longer exists or can't be quoted, so that it can't be published; null if all of it is there. Deleted
 * products of a new post don't matter: publishing leaves them out.
 *
 * @param error why publishing it has failed
 */
export function goneOf(draft: Draft, error: Error | null): Gone | null {
  const { postId, commentId, parentId, productId, quoteId } = draft;
  const { post, comment, quote, before } = draft;
  if (postId !== null && post === null) return "post";
  if ((parentId ?? commentId) !== null && comment === null && before === null) return "comment";
  if (productId !== null && before === null) return "product";
  if (quoteId !== null && (quote === null || isAboutQuote(error))) return "quote";
  return isNotFound(error) ? "other" : null;
}

/** Such as a ban from the quoted post's community, which nothing in the draft says. */
const isAboutQuote = (error: Error | null) => error instanceof TandemError && error.field === "quoteId";

const isNotFound = (error: Error | null) => error instanceof TandemError && error.status === 404;

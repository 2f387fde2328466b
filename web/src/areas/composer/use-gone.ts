import { TandemError } from "@tandem/client";
import type { Draft } from "@tandem/contract/drafts";
import { useQueries, useQuery } from "@tanstack/react-query";
import { commentQuery } from "../../data/comments.ts";
import { postQuery } from "../../data/posts.ts";
import { productQuery } from "../../data/shop.ts";
import { useApi } from "../../shared/context.ts";

export type Gone = "post" | "comment" | "product" | "quote" | "other";

/**
 * What a draft is about that no longer exists, so that it can't be published; null if all of it is there.
 *
 * @param error why publishing it has failed
 */
export function useGone(draft: Draft, error: Error | null): Gone | null {
  const { postId, commentId, productId, quoteId, post, before } = draft;
  const api = useApi();
  const thread = threadOf(draft);
  const { data: comment } = useQuery({ ...commentQuery(api, thread ?? 0), enabled: thread !== null });
  const quote = useQuery({ ...postQuery(api, quoteId ?? 0), enabled: quoteId !== null, retry: false });
  const products = useQueries({ queries: (draft.productIds ?? []).map((id) => productQuery(api, id)) });
  if (postId !== null && post === null) return "post";
  if (thread !== null ? comment === null : commentId !== null && before === null) return "comment";
  if (productId !== null && before === null) return "product";
  if (products.some(({ data }) => data === null)) return "product";
  if (isNotFound(quote.error)) return "quote";
  return isNotFound(error) ? "other" : null;
}

/** The comment that a draft replies to or likes; null if there is none, or it changes or deletes it. */
export function threadOf({ parentId, commentId, operation }: Draft): number | null {
  const isChange = operation === "editComment" || operation === "deleteComment";
  return parentId ?? (isChange ? null : commentId);
}

const isNotFound = (error: Error | null) => error instanceof TandemError && error.status === 404;

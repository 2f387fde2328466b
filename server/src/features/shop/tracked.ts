import { operations } from "@tandem/contract/operations";

/** The URL that counts a click and redirects to the product; with `postId`, the click also counts for that post. */
export function trackedUrl(productId: number, postId?: number): string {
  const path = operations.openProduct.path.replace("{id}", String(productId));
  return postId === undefined ? path : `${path}?post=${postId}`;
}

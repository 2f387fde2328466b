import { operations } from "@tandem/contract/operations";

/** The address that counts the click and leads on, of a product where some post shows it (spec: Product card). */
export function trackedUrl(productId: number, postId?: number): string {
  const path = operations.openProduct.path.replace("{id}", String(productId));
  return postId === undefined ? path : `${path}?post=${postId}`;
}

import { operations } from "@tandem/contract/operations";
import type { DraftRow } from "../../storage/schema/agents.ts";

/** The records that a draft is about. */
export function subjectOf({ operation, input }: Pick<DraftRow, "operation" | "input">) {
  const { id = null, productId = null }: Record<string, number | null> = JSON.parse(input);
  const { path } = operations[operation];
  const named = (noun: string) => (path.startsWith(`/api/${noun}`) ? id : null);
  return {
    postId: named("posts"),
    commentId: named("comments"),
    productId: productId ?? named("products"),
  };
}

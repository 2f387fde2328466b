import type { Provenance } from "@tandem/contract/provenance";
import { ApiError } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import type { Actor } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import type { FoundCommunity } from "../communities/communities.queries.ts";
import { assertAiShown, assertMayPublish } from "../communities/publishing.ts";
import { assertNoneBlocked } from "../people/block-check.ts";
import { lockPost, type PostRecord, readFacts } from "../posts/posts.queries.ts";

export interface Quotable extends Pick<PostRecord, "id" | "user_id" | "community"> {
  provenance: Provenance;
}

/**
 * Locks a post that the caller is about to quote. Quoting what is in a community is like commenting on it there. Throws
 * `not_found`, `forbidden` if a block is between the two or the author allows no quotes, or as `assertMayPublish`. All name `quoteId`, so
 * that it is clear that the post could be published without the quote.
 */
export async function lockQuotable(ctx: Actor, tx: Db, id: number): Promise<Quotable> {
  try {
    return await lockAllowed(ctx, tx, id);
  } catch (error) {
    throw error instanceof ApiError ? error.about("quoteId") : error;
  }
}

async function lockAllowed(ctx: Actor, tx: Db, id: number): Promise<Quotable> {
  const { caller } = ctx;
  const { user_id, community } = await lockPost(tx, id).catch((error) => {
    if (!(error instanceof ApiError && error.code === "not_found")) throw error;
    throw new ApiError("not_found", "There is no such post to quote.", { hint: error.hint });
  });
  await assertNoneBlocked(tx, caller, [user_id]);
  const { quotePolicy, provenance } = await readFacts(tx, id);
  if (quotePolicy === "nobody" && user_id !== caller.userId)
    throw new ApiError("forbidden", "The author of that post allows no quotes of it.");
  if (community !== null) await assertMayPublish(tx, "createComment", community, ctx);
  return { id, user_id, community, provenance };
}

/** Throws `ai_policy` if a person can't show the post in this community, unless it is there already. */
export function assertQuotableIn(community: FoundCommunity, caller: Caller, quoted: Quotable): void {
  if (quoted.community !== community.name.toLowerCase())
    assertAiShown(community, caller, "quoteId", quoted.provenance);
}

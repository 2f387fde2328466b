import { limits } from "@tandem/contract/limits";
import { ApiError } from "../../http/api-error.ts";
import type { Db } from "../../storage/storage.ts";

/* The posts that a community shows first. */

/** The latest pinned one first. */
export async function listPins(db: Db, communityId: number): Promise<number[]> {
  const rows = await db
    .selectFrom("community_pins")
    .select("post_id")
    .where("community_id", "=", communityId)
    .orderBy("pinned_at", "desc")
    .orderBy("post_id", "desc")
    .limit(limits.communityPins)
    .execute();
  return rows.map(({ post_id }) => post_id);
}

/** Pins a post in its community, which must be locked. Returns whether it wasn't pinned before. Throws `pin_limit`. */
export async function pinInCommunity(
  tx: Db,
  communityId: number,
  postId: number,
  now: number,
): Promise<boolean> {
  const pins = await listPins(tx, communityId);
  if (pins.includes(postId)) return false;
  if (pins.length >= limits.communityPins)
    throw new ApiError("pin_limit", `A community can pin at most ${limits.communityPins} posts.`);
  await tx
    .insertInto("community_pins")
    .values({ community_id: communityId, post_id: postId, pinned_at: now })
    .execute();
  return true;
}

/** Returns whether it was pinned. */
export async function unpinInCommunity(tx: Db, communityId: number, postId: number): Promise<boolean> {
  const gone = await tx
    .deleteFrom("community_pins")
    .where("community_id", "=", communityId)
    .where("post_id", "=", postId)
    .executeTakeFirst();
  return gone.numDeletedRows > 0n;
}

/** Unpins a post that is removed. Restoring doesn't pin it again: other posts may have its place. */
export async function unpinRemoved(tx: Db, postId: number): Promise<void> {
  await tx.deleteFrom("community_pins").where("post_id", "=", postId).execute();
}

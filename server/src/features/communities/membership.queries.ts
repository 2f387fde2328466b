import type { CommunityRole } from "@tandem/contract/community-names";
import { limits } from "@tandem/contract/limits";
import { sql } from "kysely";
import { ApiError } from "../../http/api-error.ts";
import type { Db } from "../../storage/storage.ts";

interface NewMember {
  communityId: number;
  userId: number;
  role: CommunityRole;
  now: number;
}

/** Adds and counts a member. The community must be locked. */
export async function addMember(tx: Db, { communityId, userId, role, now }: NewMember): Promise<void> {
  await tx
    .insertInto("community_members")
    .values({ community_id: communityId, user_id: userId, role, since: now })
    .execute();
  await countMembers(tx, communityId, 1);
}

/** Removes a member's row, or the ban of an account. The community must be locked. */
export async function removeMember(tx: Db, communityId: number, userId: number): Promise<void> {
  const removed = await tx
    .deleteFrom("community_members")
    .where("community_id", "=", communityId)
    .where("user_id", "=", userId)
    .returning("role")
    .executeTakeFirst();
  if (removed && removed.role !== "banned") await countMembers(tx, communityId, -1);
}

export async function countMembers(tx: Db, communityId: number, by: 1 | -1): Promise<void> {
  await tx
    .updateTable("communities")
    .set((eb) => ({ member_count: eb("member_count", "+", by) }))
    .where("id", "=", communityId)
    .execute();
}

/** Throws `community_limit` if the account owns as many communities as it can. Closed ones count: their names stay taken. */
export async function assertCanOwn(tx: Db, userId: number): Promise<void> {
  const last = await tx
    .selectFrom("community_members")
    .select("community_id")
    .where("user_id", "=", userId)
    .where("role", "=", "owner")
    .limit(1)
    .offset(limits.communitiesOwned - 1)
    .executeTakeFirst();
  if (last) throw limitError(`own at most ${limits.communitiesOwned} communities`);
}

/** Throws `community_limit` if the account has joined as many communities as it can. */
export async function assertRoomToJoin(tx: Db, userId: number): Promise<void> {
  const last = await tx
    .selectFrom("community_members")
    .select("community_id")
    .where("user_id", "=", userId)
    .where("role", "<>", sql.lit("banned"))
    .limit(1)
    .offset(limits.communitiesPerAccount - 1)
    .executeTakeFirst();
  if (last) throw limitError(`join at most ${limits.communitiesPerAccount} communities`);
}

function limitError(what: string): ApiError {
  return new ApiError("community_limit", `An account can ${what}.`);
}

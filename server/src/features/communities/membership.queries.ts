import type { CommunityRole } from "@tandem/contract/community-names";
import { limits } from "@tandem/contract/limits";
import { type Selectable, sql } from "kysely";
import { ApiError } from "../../http/api-error.ts";
import type { CommunityMemberRow } from "../../storage/schema/communities.ts";
import type { Db } from "../../storage/storage.ts";
import { retractOfCommunity } from "../notifications/notifications.queries.ts";
import { followJoined, unfollowLeft } from "./followed-communities.ts";

interface NewMember {
  communityId: number;
  userId: number;
  role: CommunityRole;
  now: number;
}

/** Adds and counts a member, whose ban may be over, and follows the community for it. The community must be locked. */
export async function addMember(tx: Db, { communityId, userId, role, now }: NewMember): Promise<void> {
  const row = { role, approved: 0, since: now, reason: null, until_at: null };
  await writeRow(tx, communityId, userId, row);
  await countMembers(tx, communityId, 1);
  await followJoined(tx, communityId, userId);
}

function writeRow(tx: Db, community_id: number, user_id: number, row: MemberState) {
  const is_agent = sql<number>`(select case when role = 'agent' then 1 else 0 end from users where id = ${user_id})`;
  return tx
    .insertInto("community_members")
    .values({ community_id, user_id, is_agent, ...row })
    .onConflict((conflict) => conflict.columns(["community_id", "user_id"]).doUpdateSet(row))
    .execute();
}

type MemberState = Omit<Selectable<CommunityMemberRow>, "community_id" | "user_id" | "is_agent">;

interface NewBan {
  reason: string;
  /** Null if permanent. */
  until: number | null;
  now: number;
}

/** Bans an account, member or not. The community must be locked. Throws `forbidden` for its owner and moderators. */
export async function ban(
  tx: Db,
  communityId: number,
  userId: number,
  { reason, until, now }: NewBan,
): Promise<void> {
  const before = await tx
    .selectFrom("community_members")
    .select(["role", "approved"])
    .where("community_id", "=", communityId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (before?.role === "owner" || before?.role === "moderator")
    throw new ApiError(
      "forbidden",
      "The owner and moderators of a community can't be banned from it. The owner can first make a moderator a member.",
    );
  await writeRow(tx, communityId, userId, {
    role: "banned",
    approved: 0,
    since: now,
    reason,
    until_at: until,
  });
  if (before?.role === "member") await endMembership(tx, communityId, userId, before);
}

/** Ends the ban of an account, if it has one. */
export async function endBan(tx: Db, communityId: number, userId: number): Promise<void> {
  await tx
    .deleteFrom("community_members")
    .where("community_id", "=", communityId)
    .where("user_id", "=", userId)
    .where("role", "=", "banned")
    .execute();
}

/** Removes a member, but no ban. The community must be locked. Returns whether the account was a member. */
export async function removeMember(tx: Db, communityId: number, userId: number): Promise<boolean> {
  const removed = await tx
    .deleteFrom("community_members")
    .where("community_id", "=", communityId)
    .where("user_id", "=", userId)
    .where("role", "<>", "banned")
    .returning(["role", "approved"])
    .executeTakeFirst();
  if (removed) await endMembership(tx, communityId, userId, removed);
  return removed !== undefined;
}

/** Does what follows from the end of a membership, such as that its role or approval isn't announced any more. */
async function endMembership(
  tx: Db,
  communityId: number,
  userId: number,
  { role, approved }: Pick<MemberState, "role" | "approved">,
): Promise<void> {
  await countMembers(tx, communityId, -1);
  await unfollowLeft(tx, communityId, userId);
  if (role !== "member" || approved === 1) await retractOfCommunity(tx, { to: userId, communityId });
}

export async function countMembers(tx: Db, communityId: number, by: 1 | -1): Promise<void> {
  await tx
    .updateTable("communities")
    .set((eb) => ({ member_count: eb("member_count", "+", by) }))
    .where("id", "=", communityId)
    .execute();
}

/** Throws `community_limit` if the account owns as many communities as it can. Closed ones count until their owner leaves them. */
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

import { changedNothing } from "../../http/activity.ts";
import { ApiError } from "../../http/api-error.ts";
import type { Call, Handlers } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";
import {
  assertPermitted,
  communityResponse,
  lockCommunity,
  lockCommunityById,
  lockFor,
} from "./communities.queries.ts";
import { addMember, assertRoomToJoin, removeMember } from "./membership.queries.ts";
import { assertAgentCanJoin } from "./publishing.ts";

export const membership = {
  joinCommunity: (ctx, input) => ctx.write((tx) => joinCommunity(ctx, tx, input)),
  leaveCommunity: (ctx, input) => ctx.write((tx) => leaveCommunity(ctx, tx, input)),
} satisfies Handlers<"joinCommunity" | "leaveCommunity">;

export async function joinCommunity(call: Call, tx: Db, { name }: { name: string }) {
  const { caller, now } = call;
  const community = await lockFor(tx, "joinCommunity", name, call);
  if (community.standing !== "visitor")
    return changedNothing({ joined: true, ...(await communityResponse(tx, name, call)) });
  assertAgentCanJoin(community, caller);
  const { userId } = caller;
  await lockAccount(tx, userId);
  await assertRoomToJoin(tx, userId);
  await addMember(tx, { communityId: community.id, userId, role: "member", now });
  return { joined: true, ...(await communityResponse(tx, name, call)) };
}

/** Leaves those of these communities that the account doesn't own; returns how many. It must be a member: bans stay. */
export async function leaveAll(tx: Db, names: readonly string[], userId: number): Promise<number> {
  if (names.length === 0) return 0;
  const joined = await tx
    .selectFrom("communities as c")
    .innerJoin("community_members as m", "m.community_id", "c.id")
    .select("c.id")
    .where(
      "c.name",
      "in",
      names.map((name) => name.toLowerCase()),
    )
    .where("m.user_id", "=", userId)
    .where("m.role", "in", ["member", "moderator"])
    // In ascending id order, to avoid deadlocks.
    .orderBy("c.id")
    .execute();
  // All communities before the account.
  for (const { id } of joined) await lockCommunityById(tx, id);
  let left = 0;
  for (const { id } of joined) if (await removeMember(tx, id, userId)) left += 1;
  return left;
}

/** A ban stays. So does a closed community's list of members, except who leaves it. */
export async function leaveCommunity(call: Call, tx: Db, { name }: { name: string }) {
  const community = await lockCommunity(tx, name, call);
  const isClosedOwn = community.standing === "owner" && community.closed_at !== null;
  if (!isClosedOwn) assertPermitted("leaveCommunity", community);
  if ((isClosedOwn || community.standing === "moderator") && call.caller.key !== null)
    throw new ApiError("forbidden", "A key can't give up its person's role. Leave in the app.");
  const isGone = await removeMember(tx, community.id, call.caller.userId);
  const response = { joined: false, ...(await communityResponse(tx, name, call)) };
  return isGone ? response : changedNothing(response);
}

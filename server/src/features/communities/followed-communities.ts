import type { FollowedCommunity } from "@tandem/contract/follows";
import { limits } from "@tandem/contract/limits";
import { nativePlatform, type OriginPlatform, type Platform } from "@tandem/contract/origins";
import { sql } from "kysely";
import { changedNothing } from "../../http/activity.ts";
import { invalid } from "../../http/api-error.ts";
import type { Call, Handlers } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";
import { findCommunity } from "./communities.queries.ts";

/*
 * Followed communities concern only the account that follows them. Joining a community follows it, and whatever ends the membership
 * unfollows it; in between, members may unfollow it, and anyone may follow it without joining.
 */

export const followedCommunities = {
  async listFollowedCommunities({ read, caller }) {
    const rows = await read
      .selectFrom("community_follows")
      .select(["platform", "name"])
      .where("user_id", "=", caller.userId)
      .execute();
    const communities = rows.map(({ platform, name }) => ({ platform, community: name }));
    return { communities: communities.sort((a, b) => a.community.localeCompare(b.community)) };
  },
  followCommunity: (ctx, input) => ctx.write((tx) => follow(ctx, tx, input)),
  unfollowCommunity: (ctx, input) => ctx.write((tx) => unfollow(ctx, tx, input)),
} satisfies Handlers<"listFollowedCommunities" | "followCommunity" | "unfollowCommunity">;

/** As with authors elsewhere, a community elsewhere may be one without posts here. Throws `not_found` for one of this service. */
async function follow(call: Call, tx: Db, { platform, community }: FollowedCommunity) {
  const { userId } = call.caller;
  const typed = community.trim();
  const name = platform === nativePlatform ? (await findCommunity(tx, typed, call)).name : typed;
  await lockAccount(tx, userId);
  const response = { following: true };
  if (!(await insertFollow(tx, userId, platform, name))) return changedNothing(response);
  const tooMany = await tx
    .selectFrom("community_follows")
    .select("name")
    .where("user_id", "=", userId)
    .limit(1)
    .offset(limits.followedCommunities)
    .executeTakeFirst();
  if (tooMany)
    throw invalid(
      "community",
      `You can follow at most ${limits.followedCommunities} communities. Unfollow one first.`,
    );
  await countFollowed(tx, userId);
  return response;
}

/** What became of communities that were to be followed. */
interface Followed {
  added: string[];
  existing: string[];
  tooMany: string[];
}

/** Follows communities of another platform as far as the account may. The account must be locked. */
export async function followAll(
  tx: Db,
  userId: number,
  platform: OriginPlatform,
  names: readonly string[],
): Promise<Followed> {
  const rows = await tx
    .selectFrom("community_follows")
    .select(["platform", "community_key"])
    .where("user_id", "=", userId)
    .execute();
  const followed = new Set(rows.filter((row) => row.platform === platform).map((row) => row.community_key));
  const isKnown = (name: string) => followed.has(name.toLowerCase());
  const unknown = names.filter((name) => !isKnown(name));
  const room = Math.max(0, limits.followedCommunities - rows.length);
  const added = unknown.slice(0, room);
  for (const name of added) await insertFollow(tx, userId, platform, name);
  if (added.length > 0) await countFollowed(tx, userId);
  return { added, existing: names.filter(isKnown), tooMany: unknown.slice(room) };
}

/** Unfollows communities of another platform. The account must be locked. */
export async function unfollowAll(
  tx: Db,
  userId: number,
  platform: OriginPlatform,
  names: readonly string[],
): Promise<void> {
  const keys = names.map((name) => name.toLowerCase());
  await tx
    .deleteFrom("community_follows")
    .where("user_id", "=", userId)
    .where("platform", "=", platform)
    .where("community_key", "in", keys)
    .execute();
  await countFollowed(tx, userId);
}

async function insertFollow(tx: Db, userId: number, platform: Platform, name: string): Promise<boolean> {
  const added = await tx
    .insertInto("community_follows")
    .values({ user_id: userId, platform, community_key: name.toLowerCase(), name })
    .onConflict((conflict) => conflict.doNothing())
    .returning("name")
    .execute();
  return added.length > 0;
}

async function unfollow({ caller: { userId } }: Call, tx: Db, followed: FollowedCommunity) {
  const response = { following: false };
  return (await unfollowCommunities(tx, [followed], userId)) > 0 ? response : changedNothing(response);
}

/** Removes an account's follows of these communities; returns how many there were. */
export async function unfollowCommunities(
  tx: Db,
  followed: readonly FollowedCommunity[],
  userId: number,
): Promise<number> {
  if (followed.length === 0) return 0;
  await lockAccount(tx, userId);
  let removed = 0n;
  for (const { platform, community } of followed) {
    const { numDeletedRows } = await tx
      .deleteFrom("community_follows")
      .where("user_id", "=", userId)
      .where("platform", "=", platform)
      .where("community_key", "=", community.trim().toLowerCase())
      .executeTakeFirst();
    removed += numDeletedRows;
  }
  if (removed > 0n) await countFollowed(tx, userId);
  return Number(removed);
}

/** Follows a community of this service for someone who becomes a member of it. */
export async function followJoined(tx: Db, communityId: number, userId: number): Promise<void> {
  await lockAccount(tx, userId);
  await sql`
    insert into community_follows (user_id, platform, community_key, name)
    select ${userId}, ${nativePlatform}, name, name from communities where id = ${communityId}
    on conflict do nothing`.execute(tx);
  await countFollowed(tx, userId);
}

/** Unfollows a community of this service for someone whose membership ends. */
export async function unfollowLeft(tx: Db, communityId: number, userId: number): Promise<void> {
  await lockAccount(tx, userId);
  await sql`
    delete from community_follows where user_id = ${userId} and platform = ${nativePlatform}
      and community_key = (select name from communities where id = ${communityId})`.execute(tx);
  await countFollowed(tx, userId);
}

/** Counts the communities that an account follows, so that the feeds of those who follow none needn't look. */
async function countFollowed(tx: Db, userId: number): Promise<void> {
  await sql`
    update users set followed_communities = (select count(*) from community_follows f where f.user_id = users.id)
    where id = ${userId}`.execute(tx);
}

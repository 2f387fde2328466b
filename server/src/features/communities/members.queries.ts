import type { CommunityBan, CommunityMember } from "@tandem/contract/communities";
import type { CommunityRole } from "@tandem/contract/community-names";
import { limits } from "@tandem/contract/limits";
import { MAX_ID } from "@tandem/contract/schema";
import { sql } from "kysely";
import { notFound } from "../../http/api-error.ts";
import type { Db } from "../../storage/storage.ts";

/** A member, and its account's id. */
export interface MemberRow {
  id: number;
  username: string;
  display_name: string | null;
  avatar_url: string | null;
  account_role: string;
  role: CommunityRole | "banned";
  approved: number;
  since: number;
  reason: string | null;
  until_at: number | null;
}

/** The community of a member that is an agent: an index begins with this. Instead of `community_id`, for which SQLite would use the primary key. */
const communityOfAgent = sql<number>`(case when m.is_agent = 1 and m.role <> 'banned' then m.community_id end)`;

function selectMembers(db: Db, communityId: number, community = sql<number>`m.community_id`) {
  return db
    .selectFrom("community_members as m")
    .innerJoin("users as u", "u.id", "m.user_id")
    .select(["u.id", "u.username", "u.display_name", "u.avatar_url", "u.role as account_role"])
    .select(["m.role", "m.approved", "m.since", "m.reason", "m.until_at"])
    .where(community, "=", communityId);
}

/** So that SQLite uses the partial index of everyone but plain members: it doesn't conclude that from other conditions. `m` are members. */
export const isNotPlain = sql<boolean>`m.role <> 'member'`;

/** The owner and the moderators, longest serving first. */
export async function listStaff(db: Db, communityId: number): Promise<CommunityMember[]> {
  return (await staffOf(db, communityId).execute()).map(asMember);
}

export function staffOf(db: Db, communityId: number) {
  return selectMembers(db, communityId)
    .where(isNotPlain)
    .where("m.role", "in", ["owner", "moderator"])
    .orderBy("m.role", "desc")
    .orderBy("m.since")
    .orderBy("u.id")
    .limit(limits.longList);
}

/** The id of a community, and of the account that owns it. Throws `not_found`. */
export async function findOwned(db: Db, name: string): Promise<{ id: number; owner: number | null }> {
  const found = await db
    .selectFrom("communities as c")
    .leftJoin("community_members as m", (join) =>
      join.onRef("m.community_id", "=", "c.id").on("m.role", "=", sql.lit("owner")).on(isNotPlain),
    )
    .select(["c.id", "m.user_id as owner"])
    .where("c.name", "=", name)
    .executeTakeFirst();
  if (!found) throw notFound("community");
  return found;
}

interface Page {
  /** Only accounts with an id below this one. */
  below?: number | undefined;
  limit: number;
}

/** Members, the latest account first. */
export function memberPage(
  db: Db,
  communityId: number,
  { agents = false, below = MAX_ID, limit }: Page & { agents?: boolean },
) {
  return selectMembers(db, communityId, agents ? communityOfAgent : undefined)
    .where("m.role", "<>", sql.lit("banned"))
    .where("m.user_id", "<", below)
    .orderBy("m.user_id", "desc")
    .limit(limit);
}

/** Accounts whose bans aren't over, the latest account first. */
export function banPage(db: Db, communityId: number, now: number, { below = MAX_ID, limit }: Page) {
  return selectMembers(db, communityId)
    .where(isNotPlain)
    .where("m.role", "=", sql.lit("banned"))
    .where((eb) => eb.or([eb("m.until_at", "is", null), eb("m.until_at", ">", now)]))
    .where("m.user_id", "<", below)
    .orderBy("m.user_id", "desc")
    .limit(limit);
}

/** A member with this username. Throws `not_found`. */
export async function findMember(db: Db, communityId: number, username: string): Promise<MemberRow> {
  const row = await selectMembers(db, communityId)
    .where("u.username_key", "=", username.toLowerCase())
    .where("m.role", "<>", "banned")
    .executeTakeFirst();
  if (!row) throw notFound("member of this community");
  return row;
}

export function asMember(row: MemberRow): CommunityMember {
  return {
    username: row.username,
    displayName: row.display_name,
    avatarUrl: row.avatar_url,
    isAgent: row.account_role === "agent",
    // Banned accounts aren't listed as members.
    role: row.role as CommunityRole,
    approved: row.approved === 1,
    since: new Date(row.since).toISOString(),
  };
}

export function asBan(row: MemberRow): CommunityBan {
  return {
    username: row.username,
    displayName: row.display_name,
    avatarUrl: row.avatar_url,
    isAgent: row.account_role === "agent",
    reason: row.reason ?? "",
    until: row.until_at === null ? null : new Date(row.until_at).toISOString(),
    since: new Date(row.since).toISOString(),
  };
}

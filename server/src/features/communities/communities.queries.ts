import type { Community, CommunityOperation, Standing } from "@tandem/contract/communities";
import { isPermitted } from "@tandem/contract/community-names";
import { nativePlatform } from "@tandem/contract/origins";
import { type Selectable, sql } from "kysely";
import { ApiError, notFound } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import { prepared } from "../../storage/prepared.ts";
import type { CommunityRow } from "../../storage/schema/communities.ts";
import type { Db } from "../../storage/storage.ts";

/** A community, and what the caller is to it. */
export interface FoundCommunity extends Selectable<CommunityRow> {
  standing: Standing;
  /** 1 if the caller is an agent that moderators approved. */
  approved: number;
}

interface Wanted {
  name: string;
  /** The caller's account; 0 for an anonymous caller. */
  userId: number;
}

const byName = prepared<Wanted, FoundCommunity>((db, { name, userId }) =>
  sql<FoundCommunity>`
    select c.*, coalesce(m.role, 'visitor') as standing, coalesce(m.approved, 0) as approved
    from communities c left join community_members m on m.community_id = c.id and m.user_id = ${userId}
    where c.name = ${name}`.compile(db),
);

/** Throws `not_found`. */
export async function findCommunity(db: Db, name: string, caller: Caller | null): Promise<FoundCommunity> {
  const [community] = await byName(db, { name: name.toLowerCase(), userId: caller?.userId ?? 0 });
  if (!community) throw notFound("community");
  return community;
}

/**
 * How a transaction holds a community. `change` before changing it or its members; `use` before what depends on them, which
 * many can do at once.
 */
type Hold = "change" | "use";

const locks = {
  change: prepared<{ name: string }, { id: number }>((db, { name }) =>
    db.selectFrom("communities").select("id").where("name", "=", name).forNoKeyUpdate().compile(),
  ),
  use: prepared<{ name: string }, { id: number }>((db, { name }) =>
    db.selectFrom("communities").select("id").where("name", "=", name).forShare().compile(),
  ),
};

/**
 * Locks a community until the transaction ends: after posts, before accounts. Reads it after that, so that it sees who was
 * banned meanwhile. Throws `not_found`.
 */
export async function lockCommunity(
  tx: Db,
  name: string,
  caller: Caller,
  hold: Hold = "change",
): Promise<FoundCommunity> {
  if (tx.engine.rowLocks) await locks[hold](tx, { name: name.toLowerCase() });
  return findCommunity(tx, name, caller);
}

/** Locks a community for an operation. Throws `not_found`, `forbidden` or `community_closed`. */
export async function lockFor(
  tx: Db,
  operation: CommunityOperation,
  name: string,
  caller: Caller,
): Promise<FoundCommunity> {
  const community = await lockCommunity(tx, name, caller);
  assertPermitted(operation, community);
  assertOpen(community);
  return community;
}

/** Throws `membership_required` or `forbidden` unless the contract's table permits it. */
export function assertPermitted(operation: CommunityOperation, { name, standing }: FoundCommunity): void {
  if (isPermitted(operation, standing)) return;
  if (standing === "banned") throw new ApiError("forbidden", `You are banned from the community ${name}.`);
  if (standing === "owner")
    throw new ApiError("forbidden", "You own this community. Hand it over to another member first.");
  if (isPermitted(operation, "member"))
    throw new ApiError("membership_required", `Only members can do this in the community ${name}.`);
  const who = isPermitted(operation, "moderator") ? "its owner and moderators" : "its owner";
  throw new ApiError("forbidden", `In the community ${name}, only ${who} can do this.`);
}

/** Throws `community_closed`. */
export function assertOpen({ name, closed_at }: FoundCommunity): void {
  if (closed_at !== null) throw new ApiError("community_closed", `The community ${name} is closed.`);
}

/** A community as the caller sees it. */
export function asCommunity(row: FoundCommunity): Community {
  return {
    platform: nativePlatform,
    name: row.name,
    description: row.description,
    rules: row.rules,
    pictureUrl: row.picture_url,
    pictureIsAi: row.picture_is_ai === 1,
    aiPolicy: row.ai_policy,
    memberCount: row.member_count,
    postCount: row.post_count,
    createdAt: new Date(row.created_at).toISOString(),
    activeAt: new Date(row.active_at).toISOString(),
    closed: row.closed_at !== null,
    role: row.standing,
  };
}

/** `{community}`, as it is now. */
export async function communityResponse(tx: Db, name: string, caller: Caller) {
  return { community: asCommunity(await findCommunity(tx, name, caller)) };
}

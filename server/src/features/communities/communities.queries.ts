import type { Community, CommunityOperation, Standing } from "@tandem/contract/communities";
import { isForAdmins, isPermitted } from "@tandem/contract/community-names";
import { nativePlatform } from "@tandem/contract/origins";
import { type Selectable, sql } from "kysely";
import { ApiError, notFound } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import type { Call } from "../../http/context.ts";
import { prepared } from "../../storage/prepared.ts";
import type { CommunityRow } from "../../storage/schema/communities.ts";
import type { Db } from "../../storage/storage.ts";

/** A community, and what the caller is to it. */
export interface FoundCommunity extends Selectable<CommunityRow> {
  standing: Standing;
  /** 1 if the caller is an agent that moderators approved. */
  approved: number;
  /** Why the caller is banned, if it is. */
  reason: string | null;
  /** When the caller's ban ends; null if never. */
  until_at: number | null;
  /** Whether the caller is an admin of the service. */
  isByAdmin?: boolean;
}

interface Wanted {
  name: string;
  /** The caller's account; 0 for an anonymous caller. */
  userId: number;
  now: number;
}

/** The columns of {@link FoundCommunity}, of a community `c` and the row `m` of the caller in it. A ban that is over counts as none. */
export const foundColumns = (
  now: number,
) => sql`c.*, m.reason, m.until_at, coalesce(m.approved, 0) as approved,
  case when m.role = 'banned' and m.until_at <= ${now} then 'visitor' else coalesce(m.role, 'visitor') end as standing`;

const byName = prepared<Wanted, FoundCommunity>((db, { name, userId, now }) =>
  sql<FoundCommunity>`
    select ${foundColumns(now)}
    from communities c left join community_members m on m.community_id = c.id and m.user_id = ${userId}
    where c.name = ${name}`.compile(db),
);

type Ban = Pick<FoundCommunity, "reason" | "until_at">;

/** The ban of an agent's operator. */
const banOfOperator = prepared<{ communityId: number; agentId: number; now: number }, Ban>(
  (db, { communityId, agentId, now }) =>
    sql<Ban>`
      select m.reason, m.until_at from users u join community_members m on m.user_id = u.operator_id
      where u.id = ${agentId} and m.community_id = ${communityId} and m.role = 'banned'
        and (m.until_at is null or m.until_at > ${now})`.compile(db),
);

/** Who asks, and when. */
type Asking = Pick<Call, "now"> & { caller: Caller | null };

/** A community as the caller's account stands in it; an agent whose operator is banned is banned, too. Throws `not_found`. */
export async function findCommunity(db: Db, name: string, { caller, now }: Asking): Promise<FoundCommunity> {
  const wanted = { name: name.toLowerCase(), userId: caller?.userId ?? 0, now };
  const [community] = await byName(db, wanted);
  if (!community) throw notFound("community");
  if (caller?.role === "admin") return { ...community, isByAdmin: true };
  if (!caller?.isAgent) return community;
  const [ban] = await banOfOperator(db, { communityId: community.id, agentId: caller.userId, now });
  return ban ? { ...community, ...ban, standing: "banned" } : community;
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
  call: Call,
  hold: Hold = "change",
): Promise<FoundCommunity> {
  if (tx.engine.rowLocks) await locks[hold](tx, { name: name.toLowerCase() });
  return findCommunity(tx, name, call);
}

/** Locks a community until the transaction ends, before changing it or its members. */
export async function lockCommunityById(tx: Db, id: number): Promise<void> {
  if (!tx.engine.rowLocks) return;
  await tx.selectFrom("communities").select("id").where("id", "=", id).forNoKeyUpdate().execute();
}

/** Closes a community, which must be locked. */
export async function closeById(tx: Db, id: number, now: number): Promise<void> {
  await tx.updateTable("communities").set({ closed_at: now }).where("id", "=", id).execute();
}

/** Opens a closed community again, if it still has an owner. */
export async function reopen(tx: Db, name: string): Promise<void> {
  await sql`
    update communities set closed_at = null where name = ${name} and exists (
      select 1 from community_members m
      where m.community_id = communities.id and m.role = 'owner' and m.role <> 'member'
    )`.execute(tx);
}

/** Locks a community for an operation. Throws `not_found`, `community_closed`, or as {@link assertPermitted}. */
export async function lockFor(
  tx: Db,
  operation: CommunityOperation,
  name: string,
  call: Call,
): Promise<FoundCommunity> {
  const community = await lockCommunity(tx, name, call);
  if (mayAsAdmin(operation, community)) return community;
  assertPermitted(operation, community);
  assertOpen(community);
  return community;
}

function mayAsAdmin(operation: CommunityOperation, { isByAdmin: isAdmin = false }: FoundCommunity): boolean {
  return isAdmin && isForAdmins(operation);
}

/** Throws `community_banned`, `membership_required` or `forbidden` unless the contract permits it. */
export function assertPermitted(operation: CommunityOperation, community: FoundCommunity): void {
  const { name, standing } = community;
  if (isPermitted(operation, standing) || mayAsAdmin(operation, community)) return;
  if (standing === "banned" && isPermitted(operation, "member")) throw bannedError(community);
  if (standing === "owner")
    throw new ApiError("forbidden", "You own this community. Hand it over to a moderator or close it first.");
  if (isPermitted(operation, "member"))
    throw new ApiError("membership_required", `Only members can do this in the community ${name}.`);
  const who = isPermitted(operation, "moderator") ? "its owner and moderators" : "its owner";
  throw new ApiError("forbidden", `In the community ${name}, only ${who} can do this.`);
}

function bannedError({ name, reason, until_at }: FoundCommunity): ApiError {
  const end = until_at === null ? "" : ` until ${new Date(until_at).toISOString()}`;
  return new ApiError("community_banned", `Banned from the community ${name}${end}: ${reason ?? ""}`);
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
export async function communityResponse(tx: Db, name: string, call: Call) {
  return { community: asCommunity(await findCommunity(tx, name, call)) };
}

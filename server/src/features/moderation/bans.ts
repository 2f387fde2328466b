import { nativePlatform } from "@tandem/contract/origins";
import { sql } from "kysely";
import { ApiError } from "../../http/api-error.ts";
import type { Db } from "../../storage/storage.ts";
import { ban, endBan } from "../communities/membership.queries.ts";
import { endDecision, recordDecision, undoDecision } from "./decide.ts";
import { type FoundDecision, selectDecisions } from "./decisions.queries.ts";
import { aboutName } from "./excerpts.ts";

export interface Ban {
  communityId: number;
  /** The account that bans. */
  by: number;
  account: { id: number; username: string };
  reason: string;
  /** Null if permanent. */
  until: number | null;
  now: number;
}

/** Bans an account from a community, which must be locked; a second ban replaces the first. Throws `forbidden`, also if admins lifted the last one on appeal. */
export async function banFrom(
  tx: Db,
  { communityId, by, account, reason, until, now }: Ban,
): Promise<FoundDecision> {
  if ((await latestBan(tx, communityId, account.id))?.accepted === 1)
    throw new ApiError(
      "forbidden",
      "The service's admins lifted this account's last ban on appeal. Report what it publishes instead.",
    );
  const before = await banInForce(tx, communityId, account.id);
  const isSame = before !== undefined && before.until_at === until;
  const silent = isSame || !(await isToNotify(tx, { communityId, by, userId: account.id }));
  await ban(tx, communityId, account.id, { reason, until, now });
  if (before) await endDecision(tx, before, now);
  const decision = {
    act: "community_ban" as const,
    user_id: account.id,
    community_id: communityId,
    ...aboutName(account.username),
    ...{ reason, automated: 0, until_at: until, created_at: now },
  };
  return recordDecision(tx, decision, silent);
}

/** The latest comments that are searched for one in a community. */
const COMMENTS_SEARCHED = 1000;

/**
 * Whether an account is notified of a ban: anyone can create a community and ban any account from it. It is if the account is a
 * member there, or posted, commented or had something removed there, and hasn't blocked who bans it.
 */
async function isToNotify(
  tx: Db,
  { communityId, by, userId }: { communityId: number; by: number; userId: number },
): Promise<boolean> {
  const community = sql`(select name from communities where id = ${communityId})`;
  const isHere = sql`p.platform = ${sql.lit(nativePlatform)} and p.community_key = ${community}`;
  const { rows } = await sql`
    select 1 where not exists (
      select 1 from blocks b where b.user_id = ${userId} and b.other_id = ${by} and b.blocked_at is not null
    ) and (
      exists (select 1 from community_members m where m.community_id = ${communityId} and m.user_id = ${userId} and m.role = 'member')
      or exists (
        select 1 from decisions d where d.user_id = ${userId} and d.community_id = ${communityId} and d.act <> 'community_ban'
      )
      or exists (
        select 1 from posts p where p.creator_id in (select id from creators where user_id = ${userId}) and ${isHere}
      )
      or exists (
        select 1 from (
          select post_id from comments where user_id = ${userId} order by id desc limit ${sql.lit(COMMENTS_SEARCHED)}
        ) as said join posts p on p.id = said.post_id where ${isHere}
      )
    )`.execute(tx);
  return rows.length > 0;
}

/** The ban of an account that wasn't undone. Its end may have passed. */
export function banInForce(tx: Db, communityId: number, userId: number): Promise<FoundDecision | undefined> {
  return selectDecisions(tx)
    .where("d.user_id", "=", userId)
    .where("d.community_id", "=", communityId)
    .where("d.act", "=", "community_ban")
    .where("d.undone_at", "is", null)
    .limit(1)
    .executeTakeFirst();
}

/** The latest ban of an account, whether it was undone or not. */
export function latestBan(tx: Db, communityId: number, userId: number): Promise<FoundDecision | undefined> {
  return selectDecisions(tx)
    .where("d.user_id", "=", userId)
    .where("d.community_id", "=", communityId)
    .where("d.act", "=", "community_ban")
    .limit(1)
    .executeTakeFirst();
}

/** Whether an account has a notification that a community banned it. */
export async function knowsOfBan(tx: Db, communityId: number, userId: number): Promise<boolean> {
  const known = await tx
    .selectFrom("notifications as n")
    .innerJoin("decisions as d", "d.id", "n.decision_id")
    .select("n.id")
    .where("n.user_id", "=", userId)
    .where("n.type", "=", "moderation")
    .where("d.community_id", "=", communityId)
    .where("d.act", "=", "community_ban")
    .limit(1)
    .executeTakeFirst();
  return known !== undefined;
}

/** Ends a ban, and notifies the account and its operator unless `silent`. */
export async function liftBan(
  tx: Db,
  decision: FoundDecision,
  now: number,
  silent = false,
): Promise<FoundDecision> {
  const { community_id, user_id } = decision;
  if (community_id !== null && user_id !== null) await endBan(tx, community_id, user_id);
  return undoDecision(tx, decision, now, silent);
}

import { ApiError } from "../../http/api-error.ts";
import type { Db } from "../../storage/storage.ts";
import { ban, endBan } from "../communities/membership.queries.ts";
import { endDecision, recordDecision, undoDecision } from "./decide.ts";
import { type FoundDecision, selectDecisions } from "./decisions.queries.ts";

export interface Ban {
  communityId: number;
  account: { id: number; username: string };
  reason: string;
  /** Null if permanent. */
  until: number | null;
  now: number;
}

/** Bans an account from a community, which must be locked; a second ban replaces the first. Throws `forbidden`, also if admins lifted the last one on appeal. */
export async function banFrom(
  tx: Db,
  { communityId, account, reason, until, now }: Ban,
): Promise<FoundDecision> {
  if ((await latestBan(tx, communityId, account.id))?.accepted === 1)
    throw new ApiError(
      "forbidden",
      "The service's admins lifted this account's last ban on appeal. Report what it publishes instead.",
    );
  await ban(tx, communityId, account.id, { reason, until, now });
  const before = await banInForce(tx, communityId, account.id);
  if (before) await endDecision(tx, before, now);
  return recordDecision(tx, {
    act: "community_ban",
    user_id: account.id,
    community_id: communityId,
    ...{ post_id: null, comment_id: null },
    ...{ excerpt: account.username, reason, automated: 0, until_at: until, created_at: now },
  });
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

/** Ends a ban, and notifies the account and its operator. */
export async function liftBan(tx: Db, decision: FoundDecision, now: number): Promise<FoundDecision> {
  const { community_id, user_id } = decision;
  if (community_id !== null && user_id !== null) await endBan(tx, community_id, user_id);
  return undoDecision(tx, decision, now);
}

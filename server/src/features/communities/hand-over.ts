import { sql } from "kysely";
import type { Db } from "../../storage/storage.ts";
import { notifyOfCommunity } from "../notifications/notifications.queries.ts";
import { isNotPlain } from "./members.queries.ts";

/**
 * Takes an account out of its communities. One that it owns passes to the moderator who has served longest; without a
 * moderator, it is closed.
 */
export async function leaveCommunities(tx: Db, userId: number): Promise<void> {
  const lock = tx.engine.rowLocks ? sql`for no key update` : sql``;
  const mine = sql<number>`select community_id from community_members where user_id = ${userId} and role <> 'banned'`;
  await sql`select id from communities where id in (${mine}) order by id ${lock}`.execute(tx);
  const owned = await tx
    .selectFrom("community_members")
    .select("community_id as id")
    .where("user_id", "=", userId)
    .where("role", "=", "owner")
    .execute();
  for (const { id } of owned) await handOver(tx, id);
  await sql`update communities set member_count = member_count - 1 where id in (${mine})`.execute(tx);
  await tx.deleteFrom("community_members").where("user_id", "=", userId).execute();
}

async function handOver(tx: Db, communityId: number): Promise<void> {
  const heir = await tx
    .selectFrom("community_members as m")
    .innerJoin("users as u", "u.id", "m.user_id")
    .select("m.user_id")
    .where("m.community_id", "=", communityId)
    .where(isNotPlain)
    .where("m.role", "=", "moderator")
    .where("u.removing_at", "is", null)
    .where((eb) => eb.or([eb("u.suspended_until", "is", null), eb("u.suspended_until", "<=", tx.engine.now)]))
    .orderBy("m.since")
    .orderBy("m.user_id")
    .limit(1)
    .executeTakeFirst();
  if (heir) {
    await tx
      .updateTable("community_members")
      .set({ role: "owner" })
      .where("community_id", "=", communityId)
      .where("user_id", "=", heir.user_id)
      .execute();
    const notification = { type: "community_owner", communityId, to: [heir.user_id] } as const;
    await notifyOfCommunity(tx, notification, Date.now());
  } else
    await sql`update communities set closed_at = coalesce(closed_at, ${tx.engine.now}) where id = ${communityId}`.execute(
      tx,
    );
}

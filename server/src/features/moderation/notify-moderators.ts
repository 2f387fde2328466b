import { sql } from "kysely";
import type { Db } from "../../storage/storage.ts";
import { lockCommunityById } from "../communities/communities.queries.ts";
import { notifyOfCommunity } from "../notifications/notifications.queries.ts";

/** The most moderators that are notified of reports: those who have served longest. */
const MAX_NOTIFIED = 50;

interface OpenedCase {
  id: number;
  communityId: number;
  reporterId: number;
  now: number;
}

/**
 * Notifies the owner and the moderators of a community that there is something in its queue of reports, which was empty before. Who
 * hasn't read the last such notification gets none, so that no one can send many by reporting and deleting the same again and again.
 */
export async function notifyModerators(
  tx: Db,
  { id, communityId, reporterId, now }: OpenedCase,
): Promise<void> {
  await lockCommunityById(tx, communityId);
  if (await isOtherOpen(tx, communityId, id)) return;
  const to = await moderatorsToNotify(tx, communityId, reporterId);
  await notifyOfCommunity(tx, { type: "community_reports", communityId, to }, now);
}

async function isOtherOpen(tx: Db, communityId: number, id: number): Promise<boolean> {
  const other = await tx
    .selectFrom("report_cases")
    .select("id")
    .where("community_id", "=", communityId)
    .where("community_state", "=", "open")
    .where("id", "<>", id)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

/** Without who reported it. The second condition on roles is there so that SQLite uses the index of these. */
async function moderatorsToNotify(tx: Db, communityId: number, reporterId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select m.user_id as id from community_members m join users u on u.id = m.user_id
    where m.community_id = ${communityId} and m.role in ('owner', 'moderator') and m.role <> 'member'
      and m.user_id <> ${reporterId} and not exists (
        select 1 from notifications n
        where n.user_id = m.user_id and n.type = 'community_reports' and n.opened = 0 and n.id > u.read_upto
          and n.community_id = ${communityId}
      )
    order by m.since, m.user_id limit ${sql.lit(MAX_NOTIFIED)}`.execute(tx);
  return rows.map(({ id }) => id);
}

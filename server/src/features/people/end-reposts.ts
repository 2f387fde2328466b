import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../storage/storage.ts";
import { dropNotifications } from "../notifications/notifications.queries.ts";

/**
 * Takes back what two groups of accounts reposted of each other, and the notifications of it. Includes removed posts, which may be
 * restored. Each group is a query of ids. Locks the posts, then the accounts that were notified.
 */
export async function endReposts(
  tx: Db,
  some: RawBuilder<number>,
  others: RawBuilder<number>,
): Promise<void> {
  const { rows } = await sql<{ id: number; post_id: number }>`
    ${repostsOf(some, others)} union all ${repostsOf(others, some)}`.execute(tx);
  if (rows.length === 0) return;
  if (tx.engine.rowLocks)
    await sql`select id from posts where id in (${tx.engine.oneOf(rows.map((row) => row.post_id))})
      order by id for update`.execute(tx);
  const found = sql`select id, user_id, post_id, by_ai from reposts
    where id in (${tx.engine.oneOf(rows.map(({ id }) => id))})`;
  await dropNotifications(
    tx,
    sql`id in (select n.id from (${found}) as r
      join notifications n on n.actor_id = r.user_id and n.type = 'repost' and n.post_id = r.post_id)`,
  );
  await sql`
    update posts set repost_count = repost_count - ended.total, ai_repost_count = ai_repost_count - ended.by_ai
    from (select post_id, count(*) as total, sum(by_ai) as by_ai from (${found}) as r group by post_id) as ended
    where posts.id = ended.post_id`.execute(tx);
  await sql`delete from reposts where id in (select id from (${found}) as r)`.execute(tx);
}

const repostsOf = (accounts: RawBuilder<number>, authors: RawBuilder<number>) => sql`
  select id, post_id from reposts
  where user_id in (${accounts}) and author_id in (select id from creators where user_id in (${authors}))`;

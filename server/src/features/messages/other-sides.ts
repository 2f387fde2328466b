import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../storage/storage.ts";

/**
 * A condition on the side `t`: the other side, which is deleted with its account only, is missing. This side names no other account
 * once that is deleted.
 */
export const lacksOtherSide = sql<boolean>`(t.other_id is not null and not exists (
  select 1 from conversation_sides as o
  where o.conversation_id = t.conversation_id and o.side = 1 - t.side and o.user_id = t.other_id))`;

/** Adds the missing sides. What they have read isn't known any more: nothing is unread. */
export async function addOtherSides(tx: Db, where: RawBuilder<boolean>): Promise<void> {
  await sql`insert into conversation_sides (conversation_id, side, user_id, other_id, last_id, unread)
    select t.conversation_id, 1 - t.side, t.other_id, t.user_id, t.last_id, 0 from conversation_sides as t
    where ${where} and ${lacksOtherSide} on conflict do nothing`.execute(tx);
}

import { sql } from "kysely";
import { ARCHIVED_RANK } from "../removed.ts";
import type { Db } from "../storage.ts";

/** Archived posts get a rank of their own, below all others, and no longer count among their author's posts. */
export async function archivedRanks(db: Db): Promise<void> {
  await sql`update posts set hot_rank = ${sql.lit(ARCHIVED_RANK)} where archived = 1 and removed = 0`.execute(
    db,
  );
  await sql`
    update creators set post_count = post_count - archived.total from (
      select creator_id, count(*) as total from posts where archived = 1 and removed = 0 group by creator_id
    ) as archived where creators.id = archived.creator_id`.execute(db);
}

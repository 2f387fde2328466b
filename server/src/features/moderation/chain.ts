import { BEGINNING, hashOf } from "../../http/audit.ts";
import type { Db } from "../../storage/storage.ts";

/** Entries that are read at a time. */
const BATCH = 1000;

/**
 * Follows the record from its beginning: how many entries there are, and the id of the first that isn't what was written,
 * or doesn't follow upon the one before; null where all do.
 */
export async function firstBroken(
  db: Db,
  batch = BATCH,
): Promise<{ entries: number; broken: number | null; last: string }> {
  let [last, hash] = [0, BEGINNING];
  for (;;) {
    const rows = await db
      .selectFrom("audit_log")
      .selectAll()
      .where("id", ">", last)
      .orderBy("id")
      .limit(batch)
      .execute();
    for (const row of rows) {
      const follows = row.id === last + 1 && row.before === hash && row.hash === hashOf(row);
      if (!follows) return { entries: last, broken: row.id, last: hash };
      [last, hash] = [row.id, row.hash];
    }
    if (rows.length < batch) return { entries: last, broken: null, last: hash };
  }
}

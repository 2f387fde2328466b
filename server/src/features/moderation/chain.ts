import { BEGINNING, hashOf } from "../../http/audit.ts";
import type { Db } from "../../storage/storage.ts";

/** Entries per query. */
const BATCH = 1000;

/**
 * Verifies the audit log's hash chain from its beginning. Returns the number of valid entries, the id of the first entry that
 * was changed or doesn't follow the one before (null if all are intact), and the last valid hash.
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
      const isValid = row.id === last + 1 && row.before === hash && row.hash === hashOf(row);
      if (!isValid) return { entries: last, broken: row.id, last: hash };
      [last, hash] = [row.id, row.hash];
    }
    if (rows.length < batch) return { entries: last, broken: null, last: hash };
  }
}

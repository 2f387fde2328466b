import type { NumberedTable } from "../../storage/engine.ts";
import type { Db } from "../../storage/storage.ts";

/** Assigns ids in ascending order. */
export async function assignIds(tx: Db, table: NumberedTable, records: { id: number }[]): Promise<void> {
  if (records.length === 0) return;
  const first = await tx.engine.reserveIds(tx, table, records.length);
  for (const [i, record] of records.entries()) record.id = first + i;
}

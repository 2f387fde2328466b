import type { Db } from "../storage.ts";

/** Where a stream's segments begin in its account's playlist, so that every process numbers them alike. */
export async function liveNumbers(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  for (const column of ["first_number", "upstream_number"])
    await db.schema.alterTable("lives").addColumn(column, integer).execute();
}

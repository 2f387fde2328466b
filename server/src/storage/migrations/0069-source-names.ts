import { sql } from "kysely";
import type { Db } from "../storage.ts";

/** Finds sources by how their name or community begins, and counts the posts that each has brought. */
export async function sourceNames(db: Db): Promise<void> {
  for (const column of ["name", "community"])
    await db.schema
      .createIndex(`sources_by_${column}`)
      .on("sources")
      .expression(sql`(lower(${sql.ref(column)} ${db.engine.binaryCollation}))`)
      .execute();
  await db.schema
    .alterTable("sources")
    .addColumn("imported", db.engine.types.integer, (c) => c.notNull().defaultTo(0))
    .execute();
  await sql`update sources set imported = counted.total
    from (select source_id, count(*) as total from gathered group by source_id) as counted
    where counted.source_id = sources.id`.execute(db);
}

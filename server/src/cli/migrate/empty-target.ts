import { sql } from "kysely";
import type { BeforeMigration } from "../../storage/migrate.ts";
import { hasUnfinishedMove } from "../../storage/migration-marker.ts";
import type { Schema } from "../../storage/schema.ts";
import type { Db } from "../../storage/storage.ts";
import { Refusal } from "../refusal.ts";

/** Tables that everything else depends on. An empty database has no rows in them. */
const entities: (keyof Schema)[] = ["users", "posts", "sources"];

/** Accepts a target that is empty or has an unfinished move. If it throws, the target is unchanged. */
export function requireEmptyTarget(source: Db): BeforeMigration {
  return async (target) => {
    const [here, there] = await Promise.all([target, source].map((db) => db.engine.catalog.identity(db)));
    if (here === there) throw new Refusal("The target is the same database as the source.");
    if (await hasUnfinishedMove(target)) return;
    for (const table of entities) {
      if (await hasRows(target, table)) {
        throw new Refusal(
          `The target already has ${table}. Migrate into an empty database, or into one with an interrupted migration.`,
        );
      }
    }
  };
}

async function hasRows(db: Db, table: string): Promise<boolean> {
  if (!(await db.engine.catalog.has(db, table))) return false;
  return (await sql`select 1 from ${sql.table(table)} limit 1`.execute(db)).rows.length > 0;
}

import { sql } from "kysely";
import type { Guard } from "../../storage/migrate.ts";
import { hasUnfinishedMove } from "../../storage/migration-marker.ts";
import type { Schema } from "../../storage/schema.ts";
import type { Db } from "../../storage/storage.ts";
import { Refusal } from "../refusal.ts";

/** What everything else hangs on, or passes by itself. */
const things: (keyof Schema)[] = ["users", "posts", "sources"];

/** Lets a target pass that is empty, or holds an unfinished move. Nothing has been changed in it where it throws. */
export function requireRoomFor(source: Db): Guard {
  return async (target) => {
    const [here, there] = await Promise.all([target, source].map((db) => db.engine.catalog.identity(db)));
    if (here === there) throw new Refusal("The target is the database that the settings name already.");
    if (await hasUnfinishedMove(target)) return;
    for (const table of things) {
      if (await hasRows(target, table)) {
        throw new Refusal(
          `The target already has ${table}: a move needs an empty database, or one where it was interrupted.`,
        );
      }
    }
  };
}

async function hasRows(db: Db, table: string): Promise<boolean> {
  if (!(await db.engine.catalog.has(db, table))) return false;
  return (await sql`select 1 from ${sql.table(table)} limit 1`.execute(db)).rows.length > 0;
}

import { firstWithRows } from "../../storage/existing.ts";
import type { BeforeMigration } from "../../storage/migrate.ts";
import { hasUnfinishedMove } from "../../storage/migration-marker.ts";
import type { Db } from "../../storage/storage.ts";
import { Refusal } from "../refusal.ts";

/** Accepts a target that is empty or has an unfinished move. If it throws, the target is unchanged. */
export function requireEmptyTarget(source: Db): BeforeMigration {
  return async (target) => {
    const [here, there] = await Promise.all([target, source].map((db) => db.engine.catalog.identity(db)));
    if (here === there) throw new Refusal("The target is the same database as the source.");
    if (await hasUnfinishedMove(target)) return;
    const table = await firstWithRows(target);
    if (table === null) return;
    throw new Refusal(
      `The target already has ${table}. Migrate into an empty database, or into one with an interrupted migration.`,
    );
  };
}

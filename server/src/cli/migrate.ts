import { ConfigError, type Environment, readConfig } from "../config.ts";
import { openForBulkLoad, type StorageLocation, withoutLimits } from "../storage/open.ts";
import { addKeys, readKeys } from "../storage/secret-keys.ts";
import { Overloaded, type Storage } from "../storage/storage.ts";
import type { Command, Terminal } from "./command.ts";
import { requireEmptyTarget } from "./migrate/empty-target.ts";
import { type Moved, move } from "./migrate/move.ts";
import { showPhases } from "./progress.ts";
import { Refusal, UsageError } from "./refusal.ts";

export const migrate: Command = {
  usage: "migrate [TARGET]",
  description: [
    "Copy all data from the configured database into an empty one, and verify the copy.",
    "TARGET is postgres://user:password@host/database, or a directory for the SQLite file. Set MIGRATE_TO",
    "instead to keep the password out of the process list.",
    "Stop the service first. To resume an interrupted migration, run the same command. Media aren't moved.",
  ].join("\n"),
  async run(args, open, terminal, env) {
    const place = placeOf(targetIn(args, env), env);
    const source = await open();
    const target = await openTarget(place, source);
    const progress = showPhases(terminal);
    try {
      const began = performance.now();
      addKeys(place.dataDir, readKeys(readConfig(env).dataDir));
      const moved = await move(source, target, { onProgress: progress.update });
      progress.stop();
      report(terminal, moved, performance.now() - began);
    } catch (error) {
      if (!(error instanceof Overloaded)) throw error;
      throw new Refusal(`The migration was interrupted: ${error.message}. Run the command again to resume.`);
    } finally {
      progress.stop();
      await target.close();
    }
  },
};

function targetIn(args: string[], env: Environment): string {
  const [target = env.MIGRATE_TO, ...more] = args;
  if (target && more.length === 0 && !target.startsWith("--")) return target;
  throw new UsageError("Expected one TARGET, or MIGRATE_TO in the environment.");
}

/** The location of the target. Errors don't repeat it, because it may contain a password. */
function placeOf(target: string, env: Environment): StorageLocation {
  readConfig(env);
  const place = target.includes("://") ? { DATABASE_URL: target } : { DATABASE_URL: "", DATA_DIR: target };
  try {
    return withoutLimits(readConfig({ ...env, ...place, DATABASE_REPLICA_URL: "" }));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new UsageError("TARGET must be postgres://user:password@host/database or a directory.");
  }
}

async function openTarget(place: StorageLocation, source: Storage): Promise<Storage> {
  try {
    return await openForBulkLoad(place, requireEmptyTarget(source.read));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(`The target can't be used: ${error instanceof Error ? error.message : error}.`);
  }
}

function report({ out }: Terminal, { rows, tables }: Moved, milliseconds: number): void {
  const count = rows.toLocaleString("en");
  out(`Migrated ${count} rows of ${tables} tables in ${(milliseconds / 1000).toFixed(1)} s.`);
  out("Verified the row count and checksum of every table.");
  out("Next, change the settings to the target and start the service.");
}

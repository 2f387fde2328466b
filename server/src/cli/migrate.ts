import { ConfigError, type Environment, readConfig } from "../config.ts";
import { openForBulkLoad, type StorageLocation, withoutLimits } from "../storage/open.ts";
import { Overloaded, type Storage } from "../storage/storage.ts";
import type { Command, Terminal } from "./command.ts";
import { type Moved, move, type OnProgress } from "./migrate/move.ts";
import { requireRoomFor } from "./migrate/room.ts";
import { type Progress, startProgress } from "./progress.ts";
import { Refusal, UsageError } from "./refusal.ts";

export const migrate: Command = {
  usage: "migrate [TARGET]",
  description: [
    "Moves everything from the database of the settings into an empty one, and compares both in the end.",
    "TARGET is postgres://user:password@host/database, or a directory to keep SQLite's file in; without one",
    "it is read from MIGRATE_TO, where no list of processes shows a password.",
    "Stop the service first. If the move is interrupted, the same command goes on. Media stay where they are.",
  ].join("\n"),
  async run(args, open, terminal, env) {
    const place = placeOf(targetIn(args, env), env);
    const source = await open();
    const target = await openTarget(place, source);
    const progress = showing(terminal);
    try {
      const began = performance.now();
      const moved = await move(source, target, { onProgress: progress.update });
      progress.stop();
      report(terminal, moved, performance.now() - began);
    } catch (error) {
      if (!(error instanceof Overloaded)) throw error;
      throw new Refusal(`The move was interrupted: ${error.message}. Run the command again, and it goes on.`);
    } finally {
      progress.stop();
      await target.close();
    }
  },
};

function targetIn(args: string[], env: Environment): string {
  const [target = env.MIGRATE_TO, ...more] = args;
  if (target && more.length === 0 && !target.startsWith("--")) return target;
  throw new UsageError("migrate takes one TARGET, or MIGRATE_TO in the environment.");
}

/** As the settings of a service on the target would say it. What is given isn't repeated: it may hold a password. */
function placeOf(target: string, env: Environment): StorageLocation {
  readConfig(env);
  const place = target.includes("://") ? { DATABASE_URL: target } : { DATABASE_URL: "", DATA_DIR: target };
  try {
    return withoutLimits(readConfig({ ...env, ...place, DATABASE_REPLICA_URL: "" }));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new UsageError("TARGET must be postgres://user:password@host/database, or a directory.");
  }
}

async function openTarget(place: StorageLocation, source: Storage): Promise<Storage> {
  try {
    return await openForBulkLoad(place, requireRoomFor(source.read));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(`The target can't be used: ${error instanceof Error ? error.message : error}.`);
  }
}

/** One bar after the other, for each thing that is done. */
function showing(terminal: Terminal): { update: OnProgress; stop(): void } {
  let shown: { what: string; progress: Progress } | undefined;
  return {
    update(what, total, done) {
      if (shown?.what !== what) {
        shown?.progress.stop();
        shown = { what, progress: startProgress(terminal, what, total) };
      }
      shown.progress.update(done);
    },
    stop: () => shown?.progress.stop(),
  };
}

function report({ out }: Terminal, { rows, tables }: Moved, milliseconds: number): void {
  const count = rows.toLocaleString("en");
  out(`${count} rows of ${tables} tables are in the target, and the same as in the source:`);
  out(`every table's count and checksum was compared. It took ${(milliseconds / 1000).toFixed(1)} s.`);
  out("Now let the settings name the target, and start the service.");
}

import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { readConfig } from "../config.ts";
import { openStore } from "../media/open-store.ts";
import type { ReplaceableDatabase } from "../storage/existing.ts";
import { isKnownSchema } from "../storage/migrate.ts";
import { openReplaceable, withoutLimits } from "../storage/open.ts";
import { addKeys } from "../storage/secret-keys.ts";
import { Overloaded } from "../storage/storage.ts";
import { loadMedia } from "./backup/load-media.ts";
import { loadTables } from "./backup/load-tables.ts";
import type { Manifest } from "./backup/manifest.ts";
import { verifyArchive } from "./backup/verify.ts";
import type { Command, Terminal } from "./command.ts";
import { counting, showPhases } from "./progress.ts";
import { Refusal, UsageError } from "./refusal.ts";

export const restore: Command = {
  usage: "restore FILE [--replace]",
  description: [
    "Verify a backup, then restore its data into the configured database and its media into the configured store. Stop",
    "the service first. The database must be empty, or all of its data is lost with --replace. Until everything is",
    "restored, the database stays as it was. A backup of SQLite can be restored into PostgreSQL, and the reverse.",
  ].join("\n"),
  async run(args, _open, terminal, env) {
    const { given, replace } = argumentsIn(args);
    const config = readConfig(env);
    const file = resolve(given);
    const found = await stat(file).catch(() => null);
    if (!found) throw new Refusal(`There is no file ${given}.`);
    if (!found.isFile())
      throw new Refusal(`${given} isn't a file: name the one that \`tandem backup\` wrote.`);
    const progress = showPhases(terminal);
    const began = performance.now();
    let target: ReplaceableDatabase | undefined;
    try {
      const manifest = await verifyArchive(file, counting("bytes verified", found.size, progress.update));
      if (!isKnownSchema(manifest.schema))
        throw new Refusal(
          `The backup is of a later version of Tandem (schema ${manifest.schema}): restore it with that version.`,
        );
      target = await openReplaceable(withoutLimits(config));
      if (target.hasData && !replace)
        throw new Refusal("The database already has data. Add --replace to lose it all.");
      const incoming = join(config.dataDir, "incoming");
      const onFile = counting("media files", manifest.media.files, progress.update);
      await loadMedia(file, manifest, { store: openStore(config, incoming), incoming }, () => onFile(1));
      // Before the data, which can't be used without them. The keys of the data so far stay known.
      addKeys(
        config.dataDir,
        manifest.secretKeys.map((key) => Buffer.from(key, "base64")),
      );
      await target.replace((tx) => loadTables(tx, file, manifest, progress.update));
      progress.stop();
      report(terminal, manifest, performance.now() - began);
    } catch (error) {
      throw asRefusal(error);
    } finally {
      progress.stop();
      await target?.close();
    }
  },
};

function argumentsIn(args: string[]): { given: string; replace: boolean } {
  const [given, ...more] = args.filter((arg) => arg !== "--replace");
  if (!given || given.startsWith("--") || more.length > 0) throw new UsageError("Expected one FILE.");
  return { given, replace: args.includes("--replace") };
}

function report({ out }: Terminal, { tables, media, createdAt }: Manifest, milliseconds: number): void {
  const rowsOf = (name: string) => tables.find((table) => table.name === name)?.rows ?? 0;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0).toLocaleString("en");
  out(`Restored ${rows} rows of ${tables.length} tables and ${media.files} media files, as of ${createdAt}.`);
  out(`Compared every row with the backup. It took ${(milliseconds / 1000).toFixed(1)} s.`);
  if (rowsOf("log_head") > 0)
    out(
      "Next, run `tandem log restart` before you start the service: the transparency log has forgotten what it signed after the backup.",
    );
}

/** Errors of the disk, the database and the media store are no reason for a stack trace. */
function asRefusal(error: unknown): unknown {
  const isOfSystem = error instanceof Error && "syscall" in error;
  if (!(isOfSystem || error instanceof Overloaded)) return error;
  return new Refusal(`The restore was given up, and the database is as it was: ${error.message}.`);
}

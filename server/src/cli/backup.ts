import { createHash } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { type Config, readConfig } from "../config.ts";
import { openStore } from "../media/open-store.ts";
import { DamagedDatabase, type ExistingDatabase } from "../storage/existing.ts";
import { flush } from "../storage/flush.ts";
import { schemaOf } from "../storage/migrate.ts";
import { hasUnfinishedMove } from "../storage/migration-marker.ts";
import { openExisting, withoutLimits } from "../storage/open.ts";
import { keysInUse, readKeys } from "../storage/secret-keys.ts";
import { SecretBox } from "../storage/secrets.ts";
import type { Db } from "../storage/storage.ts";
import { Overloaded } from "../storage/storage.ts";
import { type ArchiveWriter, createArchive } from "./backup/archive.ts";
import { FORMAT, MANIFEST, MANIFEST_SUM, type Manifest } from "./backup/manifest.ts";
import { manifestSumLine, verifyArchive } from "./backup/verify.ts";
import { MediaWriter } from "./backup/write-media.ts";
import { writeTables } from "./backup/write-tables.ts";
import type { Command, Terminal } from "./command.ts";
import { countRows, ownTables } from "./migrate/tables.ts";
import { counting, type OnProgress, showPhases } from "./progress.ts";
import { Refusal, UsageError } from "./refusal.ts";

export const backup: Command = {
  usage: "backup FILE",
  description: [
    "Write all data and all media to one file, while the service runs, then read the file back and verify it.",
    "FILE must not exist. It contains secrets; only its owner can read it.",
  ].join("\n"),
  async run([given, ...more], _open, terminal, env) {
    if (!given || given.startsWith("--") || more.length > 0) throw new UsageError("Expected one FILE.");
    const config = readConfig(env);
    const file = resolve(given);
    if (existsSync(file)) throw new Refusal(`${given} exists already.`);
    const database = await openExisting(withoutLimits(config));
    const progress = showPhases(terminal);
    const began = performance.now();
    try {
      const manifest = await writeWhole(file, (path) =>
        writeBackup(path, { database, config, onProgress: progress.update }),
      );
      progress.stop();
      await report(terminal, given, manifest, performance.now() - began);
    } catch (error) {
      throw asRefusal(error, given);
    } finally {
      progress.stop();
      await database.close();
    }
  },
};

async function requireComplete(db: Db): Promise<void> {
  if ((await schemaOf(db)) === null) throw new Refusal("The configured database has no data of Tandem.");
  if (await hasUnfinishedMove(db)) throw new Refusal("A migration into this database hasn't finished.");
}

/** Lets `write` write a file under another name, and renames it once it is whole. Deletes it otherwise. */
async function writeWhole<T>(file: string, write: (path: string) => Promise<T>): Promise<T> {
  const partial = join(dirname(file), `.${basename(file)}.${process.pid}.partial`);
  const giveUp = (signal: NodeJS.Signals) => {
    rmSync(partial, { force: true });
    process.exit(signal === "SIGINT" ? 130 : 143);
  };
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.once(signal, giveUp);
  try {
    const written = await write(partial);
    await rename(partial, file);
    await flush(dirname(file));
    return written;
  } finally {
    for (const signal of signals) process.off(signal, giveUp);
    await rm(partial, { force: true });
  }
}

interface Source {
  database: ExistingDatabase;
  config: Config;
  onProgress: OnProgress;
}

async function writeBackup(path: string, source: Source): Promise<Manifest> {
  const archive = createArchive(path, new Date());
  try {
    await writeContents(archive, source);
    await archive.close();
  } catch (error) {
    await archive.abort();
    throw error;
  }
  const { size } = await stat(path);
  return verifyArchive(path, counting("bytes verified", size, source.onProgress));
}

async function writeContents(
  archive: ArchiveWriter,
  { database, config, onProgress }: Source,
): Promise<void> {
  // Before files are copied for hours, and again in the snapshot.
  await requireComplete(database.read);
  const store = openStore(config, join(config.dataDir, "incoming"));
  const files = await countRows(database.read, [{ name: "media_files" }]);
  const onFile = counting("media files", files, onProgress);
  const media = new MediaWriter(store, archive, () => onFile(1));
  // What is deleted while the other files are copied is neither missing in the snapshot nor named by it.
  await media.write(database.read);
  const createdAt = new Date().toISOString();
  const contents = await database.snapshot(async (db) => {
    await requireComplete(db);
    const [damage] = await db.engine.catalog.damages(db);
    if (damage !== undefined) throw new DamagedDatabase(`The database is damaged: ${damage}`);
    // Those added since, before the rows, which take longer.
    const missing = await media.write(db);
    const all = await ownTables(db);
    const rows = counting("rows", await countRows(db, all), onProgress);
    const schema = String(await schemaOf(db));
    const known = new SecretBox(readKeys(config.dataDir));
    const keysElsewhere = (await keysInUse(db)).filter((id) => !known.hasKey(id));
    const engine = db.engine.name;
    const tables = await writeTables(db, all, archive, rows);
    return { engine, schema, keysElsewhere, tables, media: { ...media.written, missing } };
  });
  const secretKeys = readKeys(config.dataDir).map((key) => key.toString("base64"));
  const manifest: Manifest = { format: FORMAT, createdAt, ...contents, secretKeys };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  const add = (name: string, bytes: Buffer) => archive.add(name, bytes.length, [bytes]);
  await add(MANIFEST, Buffer.from(text));
  await add(MANIFEST_SUM, Buffer.from(manifestSumLine(createHash("sha256").update(text).digest("hex"))));
}

async function report(
  { out, error }: Terminal,
  file: string,
  { tables, keysElsewhere, media }: Manifest,
  milliseconds: number,
): Promise<void> {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0).toLocaleString("en");
  const size = ((await stat(file)).size / 1e6).toFixed(1);
  out(`Backed up ${rows} rows of ${tables.length} tables and ${media.files} media files to ${file}.`);
  out(`Verified its ${size} MB. It took ${(milliseconds / 1000).toFixed(1)} s.`);
  if (keysElsewhere.length > 0) out("It doesn't contain SECRETS_KEY: keep a copy of that elsewhere.");
  if (media.missing > 0)
    error(
      `${media.missing} media files that the database names are missing from the store: run \`tandem check\`.`,
    );
}

/** Errors of the disk, the database and the media store are no reason for a stack trace. */
function asRefusal(error: unknown, file: string): unknown {
  if (error instanceof DamagedDatabase)
    return new Refusal(`${error.message}. Nothing was backed up: restore an earlier backup.`);
  if (error instanceof Overloaded) return new Refusal(`The backup was given up: ${error.message}.`);
  const isOfSystem = error instanceof Error && "syscall" in error;
  return isOfSystem ? new Refusal(`${file} can't be written: ${error.message}.`) : error;
}
